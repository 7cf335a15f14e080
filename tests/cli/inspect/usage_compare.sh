ridge inspect --compare one
