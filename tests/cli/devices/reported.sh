# Field case BP-083: RDNA's drivers count work-group processors; 2 blocks on gfx90a are implausible.
ridge devices gfx1100 --reported-multiprocessors 30
ridge devices gfx90a --reported-multiprocessors 104 --reported-blocks 2
ridge devices gfx90a --reported-multiprocessors 0
