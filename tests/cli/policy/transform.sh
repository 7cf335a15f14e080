# behaviours.md section 4: the facts, their kinds and sources; the rules decide.
ridge policy transform --device BI-V100 --in f16 --out f16
ridge policy transform --device H200 --in f32 --out f32 | head -13
ridge policy transform --device H200 --in f32 --out f32 --stable-address | head -1
ridge policy transform --device H200 --in f32 --out f32 --not-contiguous | head -1
ridge policy transform --device A100 --no-input --out f32 | head -3
ridge policy transform --device MI250X --in f32 --out f32 --latency 800ns | tail -7
# BP-132: element sizes 1, 4, 16, 256, 4096.
for bytes in 1 4 16 256 4096; do
    for cc in 8.0 9.0; do ridge policy transform --cc $cc --in $bytes --out $bytes | grep -E '^transform|async copy'; done
done
ridge policy transform --cc 8.0 --in f32 --out f32 --smem-limit 4096 | grep -E 'async copy|smem'
