"""`env-server tasks check`."""
