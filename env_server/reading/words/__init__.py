"""Words and values: changes, dates, numbers, names, and the plain text of a message."""
