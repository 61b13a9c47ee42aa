"""Work on a whole database while servers may use it: pruning, archiving, and copies to another database."""
