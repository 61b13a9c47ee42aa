"""Policies that follow a rule: constant policies, random calls, gold, and an agent that makes look-ups from the user's
words.
"""
