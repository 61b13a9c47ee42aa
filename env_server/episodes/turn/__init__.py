"""Playing of a turn: the agent's part, the user's part, the ending, and the claim on a turn with remote calls."""
