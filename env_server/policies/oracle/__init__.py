"""The oracle: a policy that knows gold and talks as a good agent does."""
