# BP-047: CRLF, a byte-order mark, CRLF inside a triple-quoted constraint: the same configurations.
text='[kernel]\nname = "k"\n[dims.a]\nvalues = [1, 2, 4]\n[dims.b]\nvalues = ["x", "y"]\n[constraints]\nexprs = ["""a > 1\n  or b == '"'y'"'"""]\n'
printf "$text" >lf.toml
printf "${text//\\n/\\r\\n}" >crlf.toml
printf "\xEF\xBB\xBF$text" >mark.toml
ridge space lf.toml --list | tee lf.list
ridge space crlf.toml --list | cmp - lf.list
ridge space mark.toml --list | cmp - lf.list
ridge space crlf.toml --explain >crlf.explain
ridge space lf.toml --explain | cmp - crlf.explain
