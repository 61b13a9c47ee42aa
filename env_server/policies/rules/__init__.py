"""Policies that follow a rule: constant ones, random calls, gold, and an agent that looks up what it hears."""
