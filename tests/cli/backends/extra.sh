ridge backends opencl
