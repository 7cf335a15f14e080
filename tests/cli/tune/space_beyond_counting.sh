# 10^30 configurations: a database holds no such number, so the report says that there are more than it holds.
printf '[kernel]\nname = "k"\nsources = {}\n' >k.toml
for d in $(seq 1 30); do printf '[dims.d%s]\nvalues = { from = 1, to = 10 }\n' $d >>k.toml; done
printf '[bench]\ngrid_x = 1\n' >>k.toml
ridge tune k.toml --device null --db e.db --order exhaustive --max-configs 3 2>err | grep 'configurations tried'
