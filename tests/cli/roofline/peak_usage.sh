ridge peak --device nowhere; echo $?
ridge peak --device null; echo $?
ridge peak --threads 5000; echo $?
ridge peak --threads 0; echo $?
ridge peak --max 3parsecs; echo $?
ridge peak --max 0; echo $?
ridge peak extra; echo $?
ridge peak --help
