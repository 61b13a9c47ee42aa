"""The dry run: checks of a job before it runs."""
