# BP-088
printf 'CCOB\x03\x00\x01\x00................' >x.hsaco
ridge inspect x.hsaco
