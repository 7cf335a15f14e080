ridge inspect --help
