"""Evaluations: the outcome of each episode, summaries of many episodes, and comparisons of two runs."""
