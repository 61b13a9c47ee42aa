"""SkyRL's settings and ours, for where SkyRL is not installed."""
