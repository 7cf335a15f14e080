source "$CASE_DIR/common.bash"
spec '[]' 'a == 1'
ridge space .
printf '[kernel]\nname = "k"\n[dims.a]\n' >kernel.toml
ridge space .
