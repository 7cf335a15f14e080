ridge policy transform --device BI-V100 --in f16,f16 --out f16 --json
ridge policy transform --cc 9.0 --in f32 --out f32 --json | sed -n '/"vectorized"/,$p'
