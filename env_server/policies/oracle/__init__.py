"""The oracle: a policy that knows gold and talks like a good agent."""
