ridge devices | head -3
ridge devices | grep -E 'A100|gfx90a|MI250X'
