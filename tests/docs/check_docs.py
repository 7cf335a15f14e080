#!/usr/bin/env python3
"""Check what the documents say against what is there: check_docs.py RIDGE ROOT.

Of every document: each path of the tree that it names exists, each link leads somewhere, each `ridge COMMAND --option`
is one that the command takes. Of every command: it stands in the synopsis of a man page, which is installed, and which
tells exactly the options of --help. Of every function that is installed: something is said of it.
"""
import pathlib, re, subprocess, sys

ridge, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
FOLDERS = 'bench|cli|data|docs|examples|include|src|tests|tools'
PATH = re.compile(rf'(?<![\w/.-])((?:{FOLDERS})/[\w/.*-]*\w[*/]?)')
LINK = re.compile(r'\]\(([^)\s]+)\)')
SPAN = re.compile(r'`([^`]+)`')
OPTION = re.compile(r'(?<![\w-])--([a-z][a-z0-9-]*)')
COMMAND = re.compile(r'(?:^|[\s/(])ridge ([a-z]+)\b([^|;&#]*)')
VERBS = ['calibrate footprint', 'policy transform', 'policy table', 'policy tune']
faults = []


def fault(path, number, text):
    faults.append(f'{path.relative_to(root)}:{number}: {text}')


def options_of(command):
    """The options that --help lists: of a line that begins with one, not one named in passing."""
    text = subprocess.run([ridge, *command.split(), '--help'], capture_output=True, text=True).stdout
    return set(re.findall(r'^  --([a-z][a-z0-9-]*)', text, re.M)) - {'help'}


def command_of(words, options):
    """The command that a line begins with, with its verb where it has one."""
    verb = ' '.join(words[:2])
    return verb if verb in options else words[0]


def anchors(path):
    """The anchors that GitHub makes of the headings."""
    heads = re.findall(r'^#+ (.*)$', path.read_text(), re.M)
    return {re.sub(r'[^\w\- ]', '', head.lower()).replace(' ', '-') for head in heads}


def check_link(path, number, target):
    if re.match(r'[a-z]+:', target):
        return
    name, _, anchor = target.partition('#')
    there = (path.parent / name) if name else path
    if not there.exists():
        fault(path, number, f'the link {target} leads nowhere')
    elif anchor and anchor not in anchors(there):
        fault(path, number, f'{target}: no such heading')


def check_commands(path, number, text, options):
    for word, rest in COMMAND.findall(text):
        command = command_of([word, *rest.split()], options)
        if command not in options:
            if re.match(r'\s*(--|SPEC|FILE|$)', rest):
                fault(path, number, f'`ridge {command}` is no command')
            continue
        for option in set(OPTION.findall(rest)) - options[command] - {'help'}:
            fault(path, number, f'`ridge {command}` has no --{option}')


def check_document(path, options):
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith('```'):
            fenced = not fenced
            continue
        for name in PATH.findall(line):
            built = re.sub(r'^bench/bench_(\w+)$', r'bench/\1.c', name)
            if not list(root.glob(built.rstrip('/'))):
                fault(path, number, f'there is no {name}')
        for name in re.findall(r'`(\w+\.[ch])`', line) if path.name == 'ARCHITECTURE.md' else []:
            if name not in sources:
                fault(path, number, f'there is no {name} in src')
        for target in [] if fenced else LINK.findall(line):
            check_link(path, number, target)
        whole = fenced or line.startswith('    ')
        for text in [line] if whole else SPAN.findall(line):
            check_commands(path, number, text, options)


def named_options(lines):
    return {name for line in lines for name in re.findall(r'\bFl -([a-z][a-z0-9-]*)', line)}


def check_page(page, options):
    """A page tells of the commands in its synopsis, and of no option that none of them has. \return those commands."""
    lines = page.read_text().replace('\\-', '-').splitlines()
    synopsis = lines[lines.index('.Sh SYNOPSIS'):lines.index('.Sh DESCRIPTION')]
    commands = [command_of(line.split()[2:], options) for line in synopsis if line.startswith('.Nm ridge ')]
    own = set().union(*(options[command] for command in commands), {'help', 'version'})
    for option in sorted(own - named_options(lines) - {'help', 'version'}):
        fault(page, 1, f'it does not tell --{option}')
    for option in sorted(named_options(synopsis + [line for line in lines if line.startswith('.It ')]) - own):
        fault(page, 1, f'{", ".join(commands)}: no --{option} there')
    if f"'{page.name}'" not in (root / 'docs/man/meson.build').read_text():
        fault(page, 1, 'it is not installed (docs/man/meson.build)')
    return commands


def check_header(path):
    """Every function has words: before it, behind it, or before the run of functions that it stands in."""
    told = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith('RIDGE_API') and not told and '/**<' not in line:
            fault(path, number, 'a function without a word on what it does')
        told = line.endswith('*/') or (told and line != '')


listing = subprocess.run([ridge, '--help'], capture_output=True, text=True).stdout
commands = re.findall(r'^  ([a-z]+) ', listing, re.M) + VERBS
options = {command: options_of(command) for command in commands}
documents = sorted({path for pattern in ('*.md', 'docs/*.md', 'bench/*.md', 'examples/**/*.md')
                    for path in root.glob(pattern)})
sources = {path.name for folder in ('src', 'cli', 'include') for path in (root / folder).rglob('*.[ch]')}
pages = sorted((root / 'docs/man').glob('ridge-*.1'))
for document in documents:
    check_document(document, options)
for header in sorted((root / 'include/ridge').glob('*.h')):
    check_header(header)
told = {command for page in pages for command in check_page(page, options)}
overview = (root / 'docs/man/ridge.1').read_text()
for command in commands:
    if ' ' not in command and not re.search(rf'\b{command}\b', overview):
        fault(root / 'docs/man/ridge.1', 1, f'it does not name ridge {command}')
    if command not in told and options[command]:
        fault(root / 'docs/man', 0, f'no page has ridge {command} in its synopsis')
print(*faults, sep='\n')
print(f'{len(documents)} documents, {len(pages)} pages, {len(commands)} commands: {len(faults)} faults')
sys.exit(1 if faults or len(commands) < 20 or len(documents) < 20 else 0)
