ridge inspect one --device A100
