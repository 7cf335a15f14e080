# Device files are for judging: alone they would be ignored.
ridge inspect one --data folder
