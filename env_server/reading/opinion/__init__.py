"""A second opinion on what a message does, by a linear model of its words. `README.md` is its data card."""
