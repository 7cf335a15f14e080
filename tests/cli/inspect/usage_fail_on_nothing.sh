ridge inspect --compare one two --fail-on ""
