"""Sentences that ask for a yes, and the other questions that they may hold."""
