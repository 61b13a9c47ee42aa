"""The environment, the generator and the metrics for SkyRL."""
