ridge compile --help
