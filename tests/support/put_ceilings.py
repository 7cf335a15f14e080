#!/usr/bin/env python3
"""Put invented ceilings of a device into an evidence database: put_ceilings.py DB BACKEND DEVICE

Arithmetic 100 GFLOP/s (f32) and 50 GFLOP/s (f64), a launch 10 us, memory 1 GB/s for reads, 0.5 GB/s for writes and
0.8 GB/s for copies at every size, with two levels. Every number is round, so that tests can say what must come out.
"""
import sqlite3, sys

path, backend, device = sys.argv[1:4]
db = sqlite3.connect(path)
made_at = '2031-01-02T03:04:05.678Z'
db.execute('INSERT INTO peak(made_at, host, backend, selector, device, driver, compiler, threads) VALUES(?,?,?,?,?,?,?,2)',
           (made_at, 'host', backend, backend, device, 'driver', 'compiler'))
peak = db.execute('SELECT max(id) FROM peak').fetchone()[0]
for what, unit, value in (('f32', 'FLOP/s', 1e11), ('f64', 'FLOP/s', 5e10), ('launch', 's', 1e-5)):
    db.execute('INSERT INTO peak_value VALUES(?,?,0,?,21,?,?,?,?)', (peak, what, unit, value, value, value, value))
for access, rate in (('read', 1e9), ('write', 5e8), ('copy', 8e8)):
    for cache in ('cold', 'warm'):
        db.execute('INSERT INTO curve(set_id, made_at, host, backend, selector, device, driver, compiler, ridge_version, '
                   'access, discipline, cache, rule, threads, pool_bytes, reuse_bytes, sentinels) '
                   "VALUES(1,?,'host',?,?,?,'driver','compiler','0',?,'stream',?,'ridge',2,0,0,'steady')",
                   (made_at, backend, backend, device, access, cache))
        curve = db.execute('SELECT max(id) FROM curve').fetchone()[0]
        for power in range(13, 31):
            db.execute("INSERT INTO curve_point VALUES(?,?,?,?,?,?,30,'')", (curve, 1 << power, rate, rate, rate, rate))
        for position, (name, size, level) in enumerate((('L1', 65536, 20 * rate), ('memory', 0, rate))):
            db.execute('INSERT INTO curve_level VALUES(?,?,?,?,?,0)', (curve, position, name, size, level))
db.commit()
