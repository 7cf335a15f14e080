# A device that does not exist.
ridge curve --device abacus; echo "exit $?"
ridge curve --device host:1; echo "exit $?"
