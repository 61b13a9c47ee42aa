"""The news of the world: articles that report its events."""
