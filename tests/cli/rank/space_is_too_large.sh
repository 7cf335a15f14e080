# A space of 10^12 configurations is refused at once, before its rows fill the memory.
printf '[kernel]\nname = "k"\nsources = {}\n' >k.toml
for d in a b c d e f g h i j k l; do printf '[dims.%s]\nvalues = { from = 1, to = 10 }\n' $d >>k.toml; done
printf '[bench]\ngrid_x = 1\n[model]\nflops = 1\n' >>k.toml
(ulimit -t 20; ridge rank k.toml --device a100 --model occupancy-waves)
echo "exit $?"
