"""Commands that look after the database as a whole: `backup`, `migrate`, `prune`, `archive`, `trajectory`, `copy`."""
