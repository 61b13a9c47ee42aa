"""Work on a whole database while servers may use it: pruning, and copies to another database."""
