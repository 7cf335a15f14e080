cp /bin/true program
ridge inspect program
