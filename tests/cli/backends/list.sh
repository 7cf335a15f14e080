# The table: one line a device, or why a backend is absent. Only the null backend is there on every machine.
ridge backends
