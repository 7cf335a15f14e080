# A copy of 512 MiB in 0.4 ms is 2684.4 GB/s: what is read and what is written both count.
ridge score --time 0.4ms --read 512MiB --write 512MiB --read-ceiling 3TB/s --write-ceiling 3TB/s
