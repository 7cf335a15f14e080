#!/usr/bin/env python3
"""Kill the tuner with SIGKILL at random moments, resume, and compare the evidence with that of an undisturbed run.

Usage: resume_after_kill.py RIDGE SPEC KILLS [SEED]
The null backend's times are a function of the configuration, so the two must agree to the last bit, sample by sample.
"""
import os, pathlib, random, signal, sqlite3, subprocess, sys, tempfile, time

ridge, spec, kills = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(1 << 32)
print(f'seed {seed}')
rng = random.Random(seed)


def command(db, *more):
    return [str(ridge), 'tune', spec, '--device', 'null', '--db', str(db), '--json', *more]


def evidence(db):
    """Everything that was measured, by configuration: outcome, every sample in order, by round."""
    con = sqlite3.connect(db)
    runs = con.execute('SELECT count(*), min(state) FROM run').fetchone()
    rows = con.execute('SELECT r.configuration_id, r.outcome, r.finalist, s.final, s.position, s.seconds FROM result r '
                       'LEFT JOIN sample s ON s.result_id = r.id ORDER BY 1, 4, 5').fetchall()
    con.close()
    return runs, rows


with tempfile.TemporaryDirectory() as folder:
    whole, broken = pathlib.Path(folder, 'whole.db'), pathlib.Path(folder, 'broken.db')
    began = time.time()
    subprocess.run(command(whole), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    duration = time.time() - began
    killed = 0
    while killed < kills:
        process = subprocess.Popen(command(broken, '--resume'), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=rng.uniform(0.02, duration / 10))
            break
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    subprocess.run(command(broken, '--resume'), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    want, got = evidence(whole), evidence(broken)
    print(f'killed {killed} times, {len(want[1])} samples')
    if killed < 3:
        sys.exit('hardly anything was killed: the run is too short for this test')
    if got != want:
        for a, b in zip(want[1], got[1]):
            if a != b:
                sys.exit(f'differs: undisturbed {a}, resumed {b}')
        sys.exit(f'differs: undisturbed {want[0]} {len(want[1])}, resumed {got[0]} {len(got[1])}')
