ridge backends --help
