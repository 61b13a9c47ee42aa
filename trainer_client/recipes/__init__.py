"""Ready-made training jobs, a package for each algorithm."""
