"""Live episodes: cached in memory, restored from SQL, and locked for one caller at a time."""
