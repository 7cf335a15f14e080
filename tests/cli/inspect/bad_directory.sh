ridge inspect .
