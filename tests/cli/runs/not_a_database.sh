# SPDX-License-Identifier: MIT
echo "kernel = 'matmul'" >kernel.toml
ridge runs --db kernel.toml
