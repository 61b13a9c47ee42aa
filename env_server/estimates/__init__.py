"""Statistics of runs over tasks, for reports and for pages: intervals, pass^k, and the comparison of two runs."""
