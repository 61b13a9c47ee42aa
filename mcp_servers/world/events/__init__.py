"""The events of the world and their times."""
