#!/usr/bin/env python3
"""Run command-line cases: run_cases.py RIDGE FOLDER [CASE ...] [--update]

A case is NAME.sh, run by bash in an empty folder with `ridge` on the PATH. Its standard output, standard error and
exit code are compared with NAME.stdout, NAME.stderr (both empty when the file is missing) and NAME.exit (0 when
missing). A line of an expected file that starts with `re:` is a regular expression for the whole line; a line that
is just `...` stands for any number of lines. In the output, the case's folder is written as $WORK and the source
tree as $SRC. A case that exits with 77 is skipped. --update rewrites the expected files, keeping `re:` and `...`
lines that still match.
"""
import os, pathlib, re, shutil, subprocess, sys, tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def matches(expected, actual):
    """Compare two lists of lines; `...` takes as few lines as it can."""
    if not expected:
        return not actual
    if expected[0] == '...':
        return any(matches(expected[1:], actual[i:]) for i in range(len(actual) + 1))
    if not actual:
        return False
    head = expected[0]
    same = re.fullmatch(head[3:], actual[0]) if head.startswith('re:') else head == actual[0]
    return bool(same) and matches(expected[1:], actual[1:])


def read(path):
    return path.read_text().splitlines() if path.exists() else []


def run_case(ridge, script):
    work = pathlib.Path(tempfile.mkdtemp(prefix='ridge-cli-'))
    env = {k: v for k, v in os.environ.items() if not k.startswith(('RIDGE_', 'LC_', 'LANG'))}
    env.update(PATH=f"{ridge.parent}:{env['PATH']}", SRC=str(ROOT), WORK=str(work), LC_ALL='C.UTF-8',
               CASE_DIR=str(script.parent))
    try:
        done = subprocess.run(['bash', str(script)], cwd=work, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=300)
    finally:
        shutil.rmtree(work, ignore_errors=True)

    def clean(raw):
        return raw.decode('utf-8', 'backslashreplace').replace(str(work), '$WORK').replace(str(ROOT), '$SRC').splitlines()
    return clean(done.stdout), clean(done.stderr), done.returncode


def update(script, out, err, code):
    for suffix, lines in (('.stdout', out), ('.stderr', err), ('.exit', [str(code)] if code else [])):
        path = script.with_suffix(suffix)
        if lines and not matches(read(path), lines):
            path.write_text('\n'.join(lines) + '\n')
        elif not lines and path.exists():
            path.unlink()


def main():
    args = [a for a in sys.argv[1:] if a != '--update']
    ridge, folder = pathlib.Path(args[0]).resolve(), pathlib.Path(args[1]).resolve()
    failed = 0
    for script in sorted(folder.glob('*.sh')):
        if args[2:] and script.stem not in args[2:]:
            continue
        out, err, code = run_case(ridge, script)
        if code == 77:
            print(f'[  SKIPPED ] {script.stem}')
            continue
        if '--update' in sys.argv:
            update(script, out, err, code)
        want_code = int((read(script.with_suffix('.exit')) or ['0'])[0])
        problems = []
        for suffix, lines in (('.stdout', out), ('.stderr', err)):
            expected = read(script.with_suffix(suffix))
            if not matches(expected, lines):
                problems.append(f'{suffix}: expected\n' + '\n'.join('  | ' + l for l in expected) + '\n  got\n' +
                                '\n'.join('  | ' + l for l in lines))
        if code != want_code:
            problems.append(f'exit code {code}, expected {want_code}')
        print(f"[{'   FAILED ' if problems else '       OK '}] {script.stem}")
        for problem in problems:
            print(problem)
        failed += bool(problems)
    sys.exit(1 if failed else 0)


main()
