# BP-130: no row reaches a newer chip silently, and an unknown capability says so.
for cc in 10.0 10.3 10.7 11.0 12.0 12.1 sm_90a; do ridge policy transform --cc $cc --in f32 --out f32 | head -2; done
for cc in unknown 12.2 13.0; do ridge policy transform --cc $cc --in f32 --out f32; echo $?; done
ridge policy transform --cc unknown --in f32 --out f32 --bytes-in-flight 16384 | head -2
