"""Reports of changes: the sentences that say that something was done, and those that only look so."""
