"""Research has no tools of its own: they come from the servers that `Domain.servers` names."""
