[ -e /dev/full ] || exit 77
ridge occupancy --device cc:8.0 --threads 64 --regs 8 >/dev/full
echo $?
ridge occupancy --device cc:8.0 --threads 64 --sweep regs --svg /dev/full >/dev/null
echo $?
ridge occupancy --device cc:8.0 --threads 64 --sweep regs --svg no/such/folder.svg >/dev/null
