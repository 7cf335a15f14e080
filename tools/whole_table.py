#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every configuration of every example, in CUDA and in OpenCL C, run whole on this CPU.

whole_table.py RIDGE [--examples matmul,...] [--languages cuda,opencl] [--sample N [--seed S]] [--without-pocl]
               [--markdown FILE]

Each configuration is judged by `ridge check` on the problem of `[check]`: every block is run, and the outputs are held
against the reference. OpenCL C is run by PoCL too, on the same problem, by `ridge tune`. Prints a table; with --markdown
these rows of the file's table are replaced. What was not run counts as not run, never as right. --sample takes N
configurations of each example, the same ones for both languages. Exit 1: a configuration is not what it should be; 77:
nothing could be run.
"""
import argparse, collections, datetime, json, pathlib, re, shutil, subprocess, sys, tempfile, time, tomllib

from put_table import markdown, put_table, take_table

ROOT = pathlib.Path(__file__).resolve().parent.parent
LANGUAGES = {'cuda': 'CUDA', 'opencl': 'OpenCL C'}
HEAD = ['example', 'language', 'problem', 'configurations', 'run', 'clean', 'refused', 'not run', 'equal to the reference',
        'equal to PoCL', 'seconds', 'seconds of PoCL', 'compiler', 'date']
PATIENCE = ['--timeout', '30m']  # of one configuration: the machine may be loaded


def histogram_expected(config, n):
    """This space is wide on purpose: what each configuration must come to (examples/README.md)."""
    if config['load_width'] == 32:
        return 'compile'
    if config['block_x'] == 8192:
        return 'unlaunchable'
    step = config['block_x'] * config['groups'] * config['load_width'] * config['unroll_loads']
    return 'clean' if config['tail'] == 1 or n % step == 0 else 'wrong-output'


def expected(example, config, params):
    return histogram_expected(config, params['n']) if example == 'histogram' else 'clean'


def spec_copy(example, language, picked, folder):
    """Copy an example with one source only, and with the picked configurations only where some are."""
    copy = pathlib.Path(shutil.copytree(ROOT / 'examples' / example, folder / f'{example}-{language}',
                                        ignore=shutil.ignore_patterns('.ridge')))
    text = (copy / 'kernel.toml').read_text()
    source = tomllib.loads(text)['kernel']['sources'][language]
    text = re.sub('^sources = .*$', f'sources = {{ {language} = "{source}" }}', text, count=1, flags=re.M)
    if picked:
        rule = ' or '.join('(' + ' and '.join(f'{k} == {v}' for k, v in config.items()) + ')' for config in picked)
        head = '\n[constraints]\nexprs = ['
        text = text.replace(head, f'{head}\n    "{rule}",') if head in text else text.replace(
            '\n[bench]\n', f'{head}"{rule}"]\n\n[bench]\n', 1)
    (copy / 'kernel.toml').write_text(text)
    return copy


def run(*command, may=()):
    """Run a command that prints JSON. \\return its exit code and what it printed; other codes than 0 and `may` end this."""
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if out.returncode not in (0, *may):
        raise SystemExit(f'{" ".join(map(str, command))}: exit code {out.returncode}: {out.stderr}')
    return out.returncode, out.stdout, out.stderr


def check(ridge, spec):
    """Judge the space. \\return the answer and seconds, or why there is none."""
    began = time.monotonic()
    code, text, why = run(ridge, 'check', spec, '--json', *PATIENCE, may=(1, 4))
    return (None, why.strip()) if code == 4 else (json.loads(text), time.monotonic() - began)


def pocl_run(ridge, spec, problem):
    """Run the space on PoCL. \\return results by id and seconds, or why there are none."""
    began = time.monotonic()
    params = [part for param in problem.split() for part in ('--set', param)]
    evidence = ['--db', spec / 'pocl.db']
    code, _, why = run(ridge, 'tune', spec, '--device', 'opencl', '--no-workloads', '--samples', '1', *PATIENCE, *params,
                       *evidence, may=(1, 4))
    if code == 4:
        return None, why.strip()
    answer = json.loads(run(ridge, 'show', 'last', '--json', *evidence)[1])
    if 'Portable Computing Language' not in answer['platform']:
        return None, f'the OpenCL device is one of {answer["platform"]}, not of PoCL'
    return {result['id']: result for result in answer['results']}, time.monotonic() - began


def wrong_text(configuration):
    return next((f['reason'] for f in configuration['findings'] if f['rule'] == 'wrong-output'), None)


def outcome(configuration):
    """In a word: clean, why it was not run, or the rules that it breaks."""
    if configuration['verdict'] == 'not-run':
        return configuration['reason'].split(':')[0]
    return ' '.join(sorted({f['rule'] for f in configuration['findings']})) or 'clean'


def is_right(configuration):
    return configuration['verdict'] != 'not-run' and configuration['compared'] and not wrong_text(configuration)


def is_alike(configuration, result):
    """Whether PoCL came to the same: right by the same reference, or wrong in the same elements with the same values."""
    if result['outcome'] == 'wrong':
        return wrong_text(configuration) == result['text'].split('\n')[0]
    return result['outcome'] == 'ok' and is_right(configuration)


def counted(words):
    """How many, and how many of which: `3: compile 1, unlaunchable 2`."""
    words = collections.Counter(words)
    return f'{sum(words.values())}' + (': ' + ', '.join(f'{w} {n}' for w, n in sorted(words.items())) if words else '')


class Table:
    """What is being made: rows, and what is not as it should be."""

    def __init__(self, ridge, with_pocl):
        self.ridge, self.with_pocl = ridge, with_pocl
        self.rows, self.skipped, self.faults = [], [], []

    def say(self, configuration, what):
        self.faults.append(f'{configuration["where"]} {configuration["id"]} {configuration["config"]}: {what}')

    def judge(self, example, configurations, params):
        """Hold what was found against what must be."""
        for configuration in configurations:
            want = expected(example, configuration['config'], params)
            if outcome(configuration) != want or (want == 'clean' and not is_right(configuration)):
                self.say(configuration, f'{outcome(configuration)}, not {want}: '
                                        f'{configuration.get("reason") or configuration["findings"]}')

    def pocl(self, spec, configurations, problem):
        """Hold what was run against PoCL. \\return two cells of the table."""
        results, seconds = pocl_run(self.ridge, spec, problem)
        if not results:
            return seconds, ''
        both, alike, alone = 0, 0, []
        for configuration in configurations:
            result = results.get(configuration['id'], {'outcome': 'missing', 'text': None})
            if configuration['verdict'] == 'not-run':
                continue
            if result['outcome'] in ('ok', 'wrong'):
                both += 1
                alike += is_alike(configuration, result)
            else:
                alone.append(result['outcome'])
            if not is_alike(configuration, result) and result['outcome'] != 'unlaunchable':
                self.say(configuration, f'{outcome(configuration)} {wrong_text(configuration) or ""}, but on PoCL '
                                        f'{result["outcome"]} {result["text"] or ""}')
        return f'{alike} of {both}' + (f'; not run by PoCL {counted(alone)}' if alone else ''), f'{seconds:.0f}'

    def add(self, example, language, picked, folder):
        """Make one row, or say why there is none."""
        spec = spec_copy(example, language, picked, folder)
        answer, seconds = check(self.ridge, spec)
        if not answer:
            self.skipped.append(f'{example}, {LANGUAGES[language]}: {seconds}')
            print(f'skipped: {self.skipped[-1]}', flush=True)
            return
        configurations = [c | {'where': f'{example}, {LANGUAGES[language]}:'} for c in answer['configurations']]
        self.judge(example, configurations, {name: int(value) for name, value in (
            param.split('=') for param in answer['problem'].split())})
        ran = [c for c in configurations if c['verdict'] != 'not-run']
        cells = ('', '') if language == 'cuda' else ('not run', '')
        if language == 'opencl' and self.with_pocl:
            cells = self.pocl(spec, configurations, answer['problem'])
        self.rows.append([
            example, LANGUAGES[language], answer['problem'], str(len(configurations)), str(len(ran)),
            str(sum(c['verdict'] == 'clean' for c in ran)),
            counted(outcome(c) for c in ran if c['verdict'] == 'refused'),
            counted(outcome(c) for c in configurations if c['verdict'] == 'not-run'),
            f'{sum(map(is_right, ran))} of {len(ran)}', cells[0], f'{seconds:.0f}', cells[1],
            ', '.join(sorted({c['compiler'] for c in ran})), str(datetime.date.today())])
        print(' | '.join(self.rows[-1]), flush=True)

    def put(self, path):
        """Replace these rows of the page's table."""
        rows = {(row[0], row[1]): row for row in take_table(path) + self.rows}
        put_table(path, markdown(HEAD, [rows[key] for key in sorted(rows)]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('ridge')
    parser.add_argument('--examples', default=','.join(sorted(p.parent.name for p in ROOT.glob('examples/*/kernel.toml'))))
    parser.add_argument('--languages', default=','.join(LANGUAGES))
    parser.add_argument('--sample', type=int)
    parser.add_argument('--seed', default='1')
    parser.add_argument('--without-pocl', action='store_true')
    parser.add_argument('--markdown')
    args = parser.parse_args()
    if args.sample and args.markdown:
        parser.error('a sample is no table of all configurations: take --sample or --markdown')
    table = Table(args.ridge, not args.without_pocl)
    for language in args.languages.split(','):
        for example in args.examples.split(','):
            sample = ['--sample', args.sample, '--seed', args.seed, '--format', 'json']
            picked = json.loads(run(args.ridge, 'space', ROOT / 'examples' / example, *sample)[1]) if args.sample else None
            with tempfile.TemporaryDirectory(prefix='ridge-whole-') as folder:
                table.add(example, language, picked, pathlib.Path(folder))
            if args.markdown:
                table.put(args.markdown)
    print('\n'.join(table.faults))
    print(f'{len(table.rows)} rows, {len(table.skipped)} skipped, {len(table.faults)} configurations are not what they '
          'should be')
    sys.exit(1 if table.faults else 77 if not table.rows else 0)


main()
