ridge space . --count --list
