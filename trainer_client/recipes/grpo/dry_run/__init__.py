"""The dry run: what can be known of a job before it runs."""
