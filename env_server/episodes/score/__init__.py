"""Scoring the last turn: in its commit, or later where a judge is asked."""
