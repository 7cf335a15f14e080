# Four gibibytes claimed by a file of less than 4 KiB.
ridge inspect "$SRC/tests/fuzz/corpus/fatbin/claim"
