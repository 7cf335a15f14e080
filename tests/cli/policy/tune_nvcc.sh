# The generated CUDA kernel compiles, where there is an nvcc.
for folder in /usr/local/cuda/bin /usr/bin; do [ -x $folder/nvcc ] && PATH=$folder:$PATH; done
command -v nvcc >/dev/null || exit 77
ridge policy tune transform --device null --in f32,u8 --out f64 --sizes 1K --samples 7 --work w >/dev/null 2>&1
for macros in '-Dalg=0 -Dvec=1 -Dbif=1' '-Dalg=1 -Dvec=16 -Dbif=16 -Dnts=1' '-Dalg=2 -Dvec=1 -Dbif=1'; do
    case $macros in *nts*) ;; *) macros="$macros -Dnts=0" ;; esac
    # shellcheck disable=SC2086
    nvcc -std=c++17 -arch=sm_80 -Dblock_x=256 -Dipt=16 -Dunr=2 $macros -c w/transform.cu -o t.o && echo compiled
done
