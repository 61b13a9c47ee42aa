"""Where episodes are played: in this process (`local`) or on a server (`remote`), behind one protocol (`base`)."""
