# A configuration named by values that contradict each other is none.
printf '[kernel]\nname = "k"\nsources = {}\n[dims.a]\nvalues = [1, 2]\n[bench]\ngrid_x = 1\n' >k.toml
ridge space k.toml --neighbours a=1,a=2
echo "exit $?"
ridge space k.toml --neighbours a=1,a=1
