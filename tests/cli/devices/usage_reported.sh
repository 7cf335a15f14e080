# What a driver reports says nothing without the device.
ridge devices --reported-multiprocessors 108
