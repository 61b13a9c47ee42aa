"""What one sentence does: one module for each act, and the patterns they share."""
