ridge inspect one two
