"""The process that sends the requests of a benchmark, and what it measures."""
