# A chip that nobody has heard of: what its file lacks is said at once, and then it is ranked for by the rules of its family.
. "$SRC/tests/cli/rank/spec.inc"
mkdir chips
cat >chips/zeta.toml <<'T'
format = 1
[sources]
sheet = "data sheet of the Zeta X1"
[[architecture]]
name = "zeta1"
vendor = "Zeta"
family = "nvidia"
sources = ["sheet"]
warp_threads = 32
max_threads_per_block = 1024
max_threads_per_multiprocessor = 2048
max_blocks_per_multiprocessor = 32
registers_per_multiprocessor = 65536
registers_per_block = 65536
max_registers_per_thread = 255
smem_bytes_per_multiprocessor = 131072
smem_bytes_per_block = 65536
smem_static_bytes = 65536
smem_bytes_per_block_opt_in = 65536
smem_reserved_bytes_per_block = 0
[[device]]
name = "Zeta X1"
vendor = "Zeta"
architecture = "zeta1"
sources = ["sheet"]
multiprocessors = 64
boost_clock_hz = 1.5e9
bandwidth_bytes_per_s = 800e9
fp32_flop_per_s = 12e12
T
ridge rank . --device "Zeta X1" --data chips --model work 2>&1
sed -i 's/^smem_static_bytes/register_unit_per_warp = 256\nsub_partitions = 4\nlaunch_check_sub_partitions = 4\nsmem_unit_bytes = 128\n&/' chips/zeta.toml
ridge rank . --device "Zeta X1" --data chips --model work --top 2
sed -i '/^bandwidth/d' chips/zeta.toml
ridge rank . --device "Zeta X1" --data chips --model work --top 1 | grep -E '^cost|left out'
