"""Ready-made training jobs."""
