t() { ridge policy transform "$@"; echo $?; }
t
t --cc 8.0
t --cc 8.0 --out f32
t --cc 8.0 --out f32 --in f32 --no-input
t --cc 8.0 --out f31 --in f32
t --cc 8.0 --out f32 --in f32,,f16
t --cc 8.0 --out f32 --in 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1
t --cc 8.0 --out f32 --in 0
t --cc eight --out f32 --in f32
t --cc 8.0 --device H100 --out f32 --in f32
t --cc 8.0 --out f32 --in f32 --json --emit c
t --cc 8.0 --out f32 --in f32 -o x.h
t --cc 8.0 --out f32 --in f32 --emit rust
t --device "no such" --out f32 --in f32
t --device A100 --out f32 --in f32 --smem-limit 1000000
t --device MI250X --out f32 --in f32
t --cc 8.0 --out f32 --in f32 --bytes-in-flight 99999999999
t --cc 8.0 --out f32 --in f32 --bytes-in-flight 0
t --cc 8.0 --out f32 --in f32 --smem-limit 0
t --device MI250X --out f32 --in f32 --latency 1e30s
ridge policy; echo $?
ridge policy tranform; echo $?
# A record that contradicts the row that was measured on the device: field and file are named.
printf 'format = 1\n[sources]\nme = "a guess"\n[[device]]\nname = "Iluvatar CoreX BI-V100"\nvendor = "Iluvatar"\nalias = ["BI-V100"]\nsources = "me"\nmultiprocessors = 50\n' >chips.toml
t --device BI-V100 --data chips.toml --in f16 --out f16
# A fact that is missing, and facts that make no sense together: so are the field and the record.
printf 'format = 1\n[sources]\nme = "a guess"\n[[device]]\nname = "X1"\nvendor = "Me"\nsources = "me"\nmemory_latency_s = 1\nbandwidth_bytes_per_s = 1e15\n' >chips.toml
t --device X1 --data chips.toml --in f16 --out f16
echo 'multiprocessors = 1' >>chips.toml
t --device X1 --data chips.toml --in f16 --out f16
printf 'format = 1\n[sources]\nme = "me"\n[[row]]\nname = "x"\nkind = "stated"\nsource = "me"\ncc_from = "13.0"\nmin_bytes_in_flight = 1\n' >rows.toml
t --cc 13.0 --policies rows.toml --in f16 --out f16
