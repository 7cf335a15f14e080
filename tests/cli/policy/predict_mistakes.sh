ridge predict; echo $?
ridge predict --device x; echo $?
ridge predict --device x --footprint 2048; echo $?
ridge predict --device x --footprint 2048:; echo $?
ridge predict --device x --footprint -1:5; echo $?
ridge predict --device x --footprint 1:5 --calibrations nowhere; echo $?
printf 'format = 1\n[[calibration]]\nname = "x"\nslop_ratio = 1\n' >bad.toml
ridge predict --device x --footprint 1:5 --calibrations bad.toml; echo $?
