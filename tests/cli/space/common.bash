# Shared by the cases of this folder: spec VALUES CONSTRAINT... writes a kernel.toml with dimensions a and b.
spec() {
    local values=$1
    shift
    {
        printf '[kernel]\nname = "k"\n[dims.a]\nvalues = %s\n[constraints]\nexprs = [' "$values"
        printf '"%s", ' "$@"
        printf ']\n'
    } >kernel.toml
}
