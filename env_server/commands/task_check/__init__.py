"""`env-server tasks check`: check a file of tasks, and play the solutions of its tasks."""
