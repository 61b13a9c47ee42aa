"""Commits: the queue of work, its transactions, and the statements of ordinary turns."""
