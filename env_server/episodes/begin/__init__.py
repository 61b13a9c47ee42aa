"""Beginning of episodes: the task and the user of a reset, idempotency keys, groups and forks."""
