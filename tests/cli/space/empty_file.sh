: >kernel.toml
ridge space .
