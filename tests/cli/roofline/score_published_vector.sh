# 900000 bytes read at 1e6/s and 100000 written at 2e5/s in 1 s score 0.9 and 0.5, and the read binds.
ridge score --time 1s --read 900000 --write 100000 --read-ceiling 1e6 --write-ceiling 2e5 --json
