t() { ridge policy tune "$@"; echo $?; }
t
t sort
t transform --in f32
t transform --out f32
t transform --out f32 --in f32 --no-input
t transform --in f32 --out f32 --sizes 1M,
t transform --in f32 --out f32 --sizes 1M,1024K
t transform --in f32 --out f32 --sizes 2G
t transform --in f32 --out f32 --sizes 0
t transform --in f32 --out f32 --sizes 1M,2M --weights 1
t transform --in f32 --out f32 --sizes 1M --weights 0
t transform --in f16 --out f16 --device null
t transform --in f32 --out f31
t transform --in f32 --out f32 --device null --work /dev/null
# A person's own files stay, and nothing is put beside them.
mkdir own && echo 'int mine;' >own/transform.c
t transform --in f32 --out f32 --device null --work own
cat own/*
t transform --in f32 --out f32 --device gpu9 --sizes 1K 2>&1 | tail -2
