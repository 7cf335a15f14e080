#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Helper of tune_peer.py, run by the Python that has Kernel Tuner. It reads an example's kernel.toml.

tune_peer_child.py tune FOLDER SAMPLES          tune the whole space with Kernel Tuner
tune_peer_child.py measure FOLDER JSON          measure the configurations of a JSON list, interleaved, with pyopencl
Either prints one JSON object or list. Both use platform 0, device 0, as `ridge --device opencl` does.
"""
import contextlib
import ctypes
import itertools
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import tomllib

ROUNDS = 41 # of `measure`; odd, so that the median is one of them


def evaluate(expression, names):
    """An expression of the spec; what the examples use of it is Python with `/` cutting to an integer."""
    if not isinstance(expression, str):
        return expression
    return eval(expression.replace('/', '//'), {'__builtins__': {}}, dict(names))


def configurations(spec):
    names = list(spec['dims'])
    rules = spec.get('constraints', {}).get('exprs', [])
    for values in itertools.product(*(spec['dims'][name]['values'] for name in names)):
        configuration = dict(zip(names, values))
        if all(evaluate(rule, configuration) for rule in rules):
            yield configuration


def scalar_type(kind):
    import numpy
    return {'f32': numpy.float32, 'f64': numpy.float64, 'i32': numpy.int32, 'u32': numpy.uint32,
            'u8': numpy.uint8}[kind]


def argument_make(argument, params, random):
    """A numpy array, or a numpy scalar, as the spec says. Outputs are poisoned with bytes of ones."""
    import numpy
    kind = argument['kind']
    if '_' not in kind:
        return scalar_type(kind)(evaluate(argument['value'], params))
    element = scalar_type(kind.split('_')[1])
    count = evaluate(argument['len'], params)
    if kind.startswith('out_'):
        return numpy.full(count * numpy.dtype(element).itemsize, 255, numpy.uint8).view(element)
    fill = argument.get('fill', 'uniform')
    if fill == 'constant':
        return numpy.full(count, argument.get('value', 0), element)
    if fill == 'iota':
        return numpy.arange(count).astype(element)
    if numpy.issubdtype(element, numpy.integer):
        return random.integers(0, argument.get('value', 100), count, endpoint=True).astype(element)
    return (random.random(count) * argument.get('value', 1)).astype(element)


def arguments_make(spec):
    import numpy
    if any(argument['kind'] == 'local_bytes' for argument in spec['bench']['args']):
        sys.exit('Kernel Tuner has no local memory arguments on OpenCL (take another example)')
    random = numpy.random.default_rng(0)
    return [argument_make(argument, spec['bench']['params'], random) for argument in spec['bench']['args']]


def reference_run(folder, spec, arguments):
    """What the outputs must be: the list that Kernel Tuner takes as `answer`."""
    import numpy
    reference = spec['verify']['reference']
    with tempfile.TemporaryDirectory() as work:
        library = os.path.join(work, 'reference.so')
        subprocess.run(['cc', '-O2', '-shared', '-fPIC', '-o', library, str(folder / reference['c'])], check=True)
        function = getattr(ctypes.CDLL(library), reference['entry'])
        copies = [value.copy() for value in arguments]
        function(*(copy.ctypes.data_as(ctypes.c_void_p) if isinstance(copy, numpy.ndarray) and copy.ndim
                   else numpy.ctypeslib.as_ctypes_type(copy.dtype)(copy.item()) for copy in copies))
    outputs = [argument['kind'].startswith(('out_', 'inout_')) for argument in spec['bench']['args']]
    return [copy if is_output else None for copy, is_output in zip(copies, outputs)]


def outputs_agree(spec, want, got):
    import numpy
    verify = spec['verify']
    for expected, found in zip(want, got):
        if expected is None:
            continue
        a, b = expected.astype(float), numpy.asarray(found).astype(float)
        if not numpy.all(numpy.abs(b - a) <= verify['abs'] + verify['rel'] * numpy.abs(a)):
            return False
    return True


def tune(folder, samples):
    start = time.perf_counter()
    import kernel_tuner
    spec = tomllib.loads((folder / 'kernel.toml').read_text())
    kernel, bench = spec['kernel'], spec['bench']
    arguments = arguments_make(spec)
    answer = reference_run(folder, spec, arguments)
    loading = time.perf_counter() - start
    axes = 'xyz'[:kernel['domain']]
    tunables = {name: dimension['values'] for name, dimension in spec['dims'].items()}
    # The grid of the spec is given as is: as a problem size in blocks, divided by nothing.
    params = bench['params']

    def problem_size(configuration):
        return tuple(evaluate(bench[f'grid_{axis}'], {**params, **configuration}) for axis in axes)

    with contextlib.redirect_stdout(sys.stderr):
        results, env = kernel_tuner.tune_kernel(
            kernel['entry'], str(folder / kernel['sources']['opencl']), problem_size, arguments, tunables,
            grid_div_x=[], grid_div_y=[], grid_div_z=[], restrictions=spec.get('constraints', {}).get('exprs', []),
            answer=answer, verify=lambda want, got, atol: outputs_agree(spec, want, got), lang='OpenCL', platform=0,
            device=0, iterations=samples, block_size_names=['block_x', 'block_y', 'block_z'], quiet=True)
    good = [row for row in results if isinstance(row['time'], (int, float)) and row['time'] < 1e19]
    best = min(good, key=lambda row: row['time'])
    outcomes = {'ok': len(good), 'failed': len(results) - len(good)}
    parts = {name: sum(row[f'{name}_time'] for row in results) / 1e3
             for name in ['compile', 'verification', 'benchmark', 'framework', 'strategy']}
    return {'count': len(results), 'outcomes': outcomes, 'best': {name: best[name] for name in tunables},
            'best_s': best['time'] / 1e3, 'times': [({n: row[n] for n in tunables}, row['time'] / 1e3) for row in good],
            'seconds': {'loading': loading, **parts}}


def kernel_make(cl, context, source, spec, configuration):
    """A kernel and how to launch it, for one configuration."""
    names = {**spec['bench']['params'], **configuration}
    options = [f'-D{name}={value}' for name, value in configuration.items()]
    kernel = getattr(cl.Program(context, source).build(options=options), spec['kernel']['entry'])
    axes = 'xyz'[:spec['kernel']['domain']]
    block = [configuration.get(f'block_{axis}', 1) for axis in axes]
    items = [evaluate(spec['bench'][f'grid_{axis}'], names) * size for axis, size in zip(axes, block)]
    return kernel, items, block


def interval(samples):
    """Median and its distribution-free 95 % interval: order statistics by the normal approximation."""
    ordered = sorted(samples)
    reach = math.ceil(0.98 * math.sqrt(len(ordered)))
    middle = len(ordered) // 2
    return {'median_s': ordered[middle], 'low_s': ordered[middle - reach], 'high_s': ordered[middle + reach]}


def measure(folder, wanted):
    import numpy
    import pyopencl as cl
    spec = tomllib.loads((folder / 'kernel.toml').read_text())
    context = cl.Context([cl.get_platforms()[0].get_devices()[0]])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    source = (folder / spec['kernel']['sources']['opencl']).read_text()
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    arguments = [cl.Buffer(context, flags, hostbuf=value) if isinstance(value, numpy.ndarray) and value.ndim else value
                 for value in arguments_make(spec)]
    kernels = [kernel_make(cl, context, source, spec, configuration) for configuration in wanted]
    samples = [[] for _ in kernels]
    for _ in range(ROUNDS + 2):
        for (kernel, items, block), times in zip(kernels, samples):
            event = kernel(queue, items, block, *arguments)
            event.wait()
            times.append((event.profile.end - event.profile.start) * 1e-9)
    return [interval(times[2:]) for times in samples] # the first two rounds warm up


def main():
    verb, folder, last = sys.argv[1:]
    folder = pathlib.Path(folder)
    result = tune(folder, int(last)) if verb == 'tune' else measure(folder, json.loads(last))
    json.dump(result, sys.stdout, default=lambda number: number.item())
    print()


if __name__ == '__main__':
    main()
