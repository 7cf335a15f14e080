# A path with spaces and letters beyond ASCII, CRLF line ends, a name of the kernel with both.
mkdir "größe 调优"; cp "$SRC"/tests/fixtures/faults/* "größe 调优"
sed -i -e 's/values = \["none".*/values = ["none"]/' -e 's/^name = "faults"/name = "größe 🚀"/' -e 's/$/\r/' "größe 调优/kernel.toml"
ridge tune "größe 调优" --device host --samples 7 --json 2> /dev/null | grep -E '"(kernel|outcomes)"'
ls "größe 调优/.ridge"
ridge runs --db "größe 调优/.ridge/evidence.db" --json | grep -o ".kernel.: .[^,]*"
