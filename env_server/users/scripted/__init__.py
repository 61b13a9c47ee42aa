"""The scripted user: deterministic, free of charge, and limited to what a customer knows."""
