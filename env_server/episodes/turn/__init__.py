"""Playing a turn: the agent's part, the user's part, the end, and the claim on a turn that calls something remote."""
