# Both commands say what they take.
ridge curve --help
ridge ceiling --help
