"""The scripted user: deterministic, without model costs, and limited to a customer's knowledge."""
