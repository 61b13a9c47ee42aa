"""`trainer config explain`: the settings of another GRPO trainer in ours."""
