#!/usr/bin/env python3
"""Hold the expression language against Python: random expressions, both dialects.

The oracle walks Python's own syntax tree and notes what leaves the 64-bit or finite range. For the PYTHON dialect the
walk is itself held against eval(); for EXACT it has that dialect's division, rounding, powers and and/or.
"""
import ast
import math
import operator
import random
import subprocess
import sys

LOW, HIGH = -(2 ** 63), 2 ** 63 - 1
FUNCTIONS = {'min': min, 'max': max, 'abs': abs, 'ceil': math.ceil, 'floor': math.floor, 'round': round, 'int': int,
             'float': float, 'pow': pow, 'log2': math.log2, 'sqrt': math.sqrt}


class Fault(Exception):
    """Carries the name that the library gives the fault."""


def whole(value):
    return isinstance(value, int)


def trunc_divide(a, b):
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def exact_divide(a, b):
    if b == 0:
        raise Fault('ZERO_DIVISION')
    return trunc_divide(int(a), int(b)) if whole(a) and whole(b) else a / b


def exact_remainder(a, b):
    if b == 0:
        raise Fault('ZERO_DIVISION')
    return int(a) - int(b) * trunc_divide(int(a), int(b)) if whole(a) and whole(b) else math.fmod(a, b)


def exact_power(a, b):
    if whole(a) and whole(b) and b < 0:
        raise Fault('DOMAIN')
    return a ** b


def round_away(a):
    if whole(a):
        return int(a)
    low = math.floor(abs(a))
    return int(math.copysign(low + (abs(a) - low >= 0.5), a))


PYTHON = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
          ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow}
EXACT = {**PYTHON, ast.Div: exact_divide, ast.Mod: exact_remainder, ast.Pow: exact_power}
EXACT_FUNCTIONS = {**FUNCTIONS, 'round': round_away, 'pow': exact_power}
COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
           ast.GtE: operator.ge, ast.In: lambda a, b: a in b, ast.NotIn: lambda a, b: a not in b}
UNARY = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_}


def in_range(value):
    if isinstance(value, complex):
        raise Fault('DOMAIN')
    if isinstance(value, float) and not math.isfinite(value):
        raise Fault('DOMAIN' if math.isnan(value) else 'OVERFLOW')
    if whole(value) and not LOW <= value <= HIGH:
        raise Fault('OVERFLOW')
    return value


class Walk:
    def __init__(self, exact, names):
        self.names = names
        self.exact = exact
        self.binary = EXACT if exact else PYTHON
        self.functions = EXACT_FUNCTIONS if exact else FUNCTIONS

    def value(self, node):
        result = getattr(self, type(node).__name__)(node)
        return result if isinstance(result, list) else in_range(result)

    def Expression(self, node):
        return self.value(node.body)

    def Constant(self, node):
        return node.value

    def Name(self, node):
        return self.names[node.id]

    def List(self, node):
        return [self.value(item) for item in node.elts]

    def UnaryOp(self, node):
        return UNARY[type(node.op)](self.value(node.operand))

    def BinOp(self, node):
        left, right = self.value(node.left), self.value(node.right)
        return self.binary[type(node.op)](left, right)

    def BoolOp(self, node):
        stop = isinstance(node.op, ast.Or)
        for operand in node.values:
            result = self.value(operand)
            if bool(result) == stop:
                break
        return bool(result) if self.exact else result

    def Compare(self, node):
        left = self.value(node.left)
        for op, item in zip(node.ops, node.comparators):
            right = self.value(item)
            if not COMPARE[type(op)](left, right):
                return False
            left = right
        return True

    def IfExp(self, node):
        return self.value(node.body if self.value(node.test) else node.orelse)

    def Call(self, node):
        return self.functions[node.func.id](*[self.value(item) for item in node.args])


def attempt(function):
    """A value as ('int', 5), or ('fault', name)."""
    try:
        result = function()
    except Fault as fault:
        return 'fault', str(fault)
    except ZeroDivisionError:
        return 'fault', 'ZERO_DIVISION'
    except OverflowError:
        return 'fault', 'OVERFLOW'
    except ValueError:
        return 'fault', 'DOMAIN'
    return type(result).__name__, result


def literal(rng):
    return rng.choice(['0', '1', '2', '3', '4', '7', '16', '64', '0.5', '1.5', '2.5', '-3', '-0.5', '1e3', 'True', 'False',
                       '0x10', str(rng.randrange(100)), str(2 ** rng.randrange(63)), '9007199254740993',
                       '9223372036854775807', '9007199254740992.0', '1e300', repr(rng.uniform(-9, 9))])


def expression(rng, depth, names):
    if depth == 0 or rng.random() < 0.1:
        return rng.choice(names) if rng.random() < 0.6 else literal(rng)
    def sub():
        text = expression(rng, depth - 1, names)
        return f'({text})' if rng.random() < 0.4 else text
    kind = rng.randrange(14)
    if kind < 5:
        return f"{sub()} {rng.choice(['+', '-', '*', '/', '//', '%', '*', '%'])} {sub()}"
    if kind < 7:
        chain = sub()
        for _ in range(rng.choice([1, 1, 2, 3])):
            chain += f" {rng.choice(['==', '!=', '<', '<=', '>', '>='])} {sub()}"
        return chain
    if kind < 9:
        return f" {rng.choice(['and', 'or'])} ".join(sub() for _ in range(rng.choice([2, 2, 3])))
    if kind == 9:
        return rng.choice([f'-{sub()}', f'not {sub()}', f'+{sub()}', f'(not {sub()})'])
    if kind == 10:
        exponent = rng.choice(['2', '3', '-1', '-2', '0', 'p', '0.5', 'a', '1 + p'])
        base = f'({sub()})' if rng.random() < 0.7 else sub()
        return rng.choice([f'{base} ** ({exponent})', f'pow({base}, {exponent})', f'{base} ** -{rng.choice(names)}'])
    if kind == 11:
        name = rng.choice(['min', 'max', 'abs', 'ceil', 'floor', 'round', 'int', 'float', 'log2', 'sqrt'])
        count = rng.choice([2, 3]) if name in ('min', 'max') else 1
        return f"{name}({', '.join(expression(rng, depth - 1, names) for _ in range(count))})"
    if kind == 12:
        return f'{sub()} if {sub()} else {sub()}'
    items = ', '.join(expression(rng, rng.randrange(depth), names) for _ in range(rng.randrange(4)))
    return f"({sub()} {rng.choice(['in', 'not in'])} [{items}])"


def variables(rng, integers):
    whole_values = [rng.randrange(-8, 9), rng.randrange(-100, 100), rng.choice([0, 1, 2, 16, 64]),
                    rng.choice([LOW, HIGH, 2 ** 53 + 1, -(2 ** 62), rng.randrange(LOW, HIGH)])]
    names = {'a': whole_values[0], 'b': whole_values[1], 'c': whole_values[2], 'd': whole_values[3],
             'p': rng.random() < 0.5, 'q': rng.random() < 0.5}
    if not integers:
        names['f'] = rng.choice([0.0, -0.0, 0.5, 2.0, -1.5, 2.5, 1e308, rng.uniform(-50, 50)])
        names['g'] = rng.choice([1.0, 9007199254740992.0, 9.223372036854775807e18, rng.uniform(-2, 2), 1e-300])
    return names


def shown(value):
    if isinstance(value, bool):
        return 'true' if value else 'false'
    return repr(value)


def same(wanted, got):
    kind, _, text = got.partition(' ')
    if kind != wanted[0]:
        return False
    if kind == 'float':
        return float(text) == wanted[1] and math.copysign(1, float(text)) == math.copysign(1, wanted[1])
    return text == (wanted[1] if kind == 'fault' else shown(wanted[1]))


def cases(rng, count):
    made = 0
    while made < count:
        integers = rng.random() < 0.4
        names = variables(rng, integers)
        text = expression(rng, rng.choice([1, 2, 3, 4]), list(names))
        try:
            tree = ast.parse(text, mode='eval')
        except SyntaxError:
            continue
        made += 1
        yield rng.choice(['python', 'exact']), text, names, tree


def guarded_power(function):
    """The result's digits are counted before Python computes them; a complex result may be too large for Python."""
    def power(a, b):
        if a < 0 and not whole(b) and b != math.floor(b):
            raise Fault('DOMAIN')
        if whole(a) and whole(b) and b > 0 and abs(a) > 1 and b * abs(a).bit_length() > 4096:
            raise Fault('OVERFLOW')
        return function(a, b)
    return power


def main():
    bridge, count = sys.argv[1], int(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 20240607
    print(f'seed {seed}, {count} expressions')
    for table in (PYTHON, EXACT):
        table[ast.Pow] = guarded_power(table[ast.Pow])
    for table in (FUNCTIONS, EXACT_FUNCTIONS):
        table['pow'] = guarded_power(table['pow'])
    rows = list(cases(random.Random(seed), count))
    lines = ['\t'.join([dialect, text] + [f'{name}={shown(value)}' for name, value in names.items()])
             for dialect, text, names, _ in rows]
    answers = subprocess.run([bridge], input='\n'.join(lines) + '\n', capture_output=True, text=True, check=True)
    answers = answers.stdout.splitlines()
    assert len(answers) == len(rows), 'an answer is missing'
    bad = faults = 0
    for (dialect, text, names, tree), got in zip(rows, answers):
        wanted = attempt(lambda: Walk(dialect == 'exact', names).value(tree))
        faults += wanted[0] == 'fault'
        if dialect == 'python' and wanted[0] != 'fault':
            real = attempt(lambda: eval(text, {'__builtins__': {}, **FUNCTIONS}, dict(names)))
            assert real[0] == wanted[0] and real[1] == wanted[1], f'the oracle is wrong: {text} {names}'
        if not same(wanted, got):
            bad += 1
            if bad <= 20:
                print(f'{dialect}: {text}\n    with {names}\n    wanted {wanted}, got {got}')
    print(f'{len(rows)} compared, {faults} of them faults, {bad} differ')
    assert faults < count // 2 and faults > count // 50, 'the mixture is not what it was'
    sys.exit(1 if bad else 0)


main()
