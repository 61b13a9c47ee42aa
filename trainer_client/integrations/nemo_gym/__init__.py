"""Episodes for NeMo Gym 0.4: `server` has its routes, `rows` makes rows of a data set."""
