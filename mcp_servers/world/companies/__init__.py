"""The companies of the world: their names, industries and products."""
