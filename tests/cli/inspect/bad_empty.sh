: >empty.cubin
ridge inspect empty.cubin
