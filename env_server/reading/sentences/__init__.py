"""Acts of one sentence: one module for each act, and the patterns that they share."""
