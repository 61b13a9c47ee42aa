"""Reports of an evaluation: estimates, comparisons, tables and plots."""
