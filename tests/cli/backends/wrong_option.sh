ridge backends --jason
