"""Evaluations: what became of each episode, what many of them come to, and how two runs compare."""
