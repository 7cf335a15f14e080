ridge space nothing.toml
