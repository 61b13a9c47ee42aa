"""Reads of episodes without playing them: listings, trajectories, states, and the check of stored hashes."""
