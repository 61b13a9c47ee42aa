"""Scoring of the last turn: in the turn's commit, or later if a judge is asked."""
