#!/usr/bin/env python3
"""Kill `ridge import` with SIGKILL at random moments: the database then holds a run of all records, or no run at all.

Usage: import_after_kill.py RIDGE KILLS [SEED]
What is killed is imported again into the same database at the end, and must then be there once.
"""
import pathlib, random, signal, sqlite3, subprocess, sys, tempfile, time

ridge, kills = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2])
seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.SystemRandom().randrange(1 << 32)
RECORDS = 1000
print(f'seed {seed}')
rng = random.Random(seed)


def write_records(path, device):
    rows = [f'x,{i},ok,measured,{1 + i / 1000},k,{device},{i} {i + 1}' for i in range(1, RECORDS + 1)]
    path.write_text('id,a,outcome,kind,median_s,kernel,device,samples_s\n' + '\n'.join(rows) + '\n')


def runs(db):
    """Records by device; every run must be whole, and so must the file."""
    if not db.exists():
        return {}
    con = sqlite3.connect(db)
    if con.execute('PRAGMA integrity_check').fetchone() != ('ok',):
        sys.exit('the database is damaged')
    if not con.execute("SELECT count(*) FROM sqlite_master WHERE name = 'run'").fetchone()[0]:
        return {}
    found = con.execute('SELECT device, (SELECT count(*) FROM result WHERE run_id = run.id) FROM run').fetchall()
    con.close()
    for device, count in found:
        if count != RECORDS:
            sys.exit(f'{device} has {count} records, not {RECORDS}')
    if len({device for device, _ in found}) != len(found):
        sys.exit('a run stands there twice')
    return dict(found)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    db, file = folder / 'e.db', folder / 'records.csv'
    command = [str(ridge), 'import', str(file), '--db', str(db)]
    write_records(file, 'first')
    began = time.time()
    subprocess.run([*command[:-1], str(folder / 'whole.db')], check=True, stdout=subprocess.DEVNULL)
    duration = time.time() - began
    killed = done = 0
    while killed < kills:
        write_records(file, f'device {killed}')
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=rng.uniform(0, duration * 1.2))
            done += 1
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        killed += 1
        runs(db)
    before = len(runs(db))
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = runs(db)
    print(f'{kills} imports, {done} of them not killed: {before} runs, each whole')
    if f'device {killed - 1}' not in after or len(after) - before > 1:
        sys.exit('the last file is not there once')
    if done == kills:
        sys.exit('nothing was killed: the file is too short for this test')
