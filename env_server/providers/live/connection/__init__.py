"""A connection to one server: the client, its transport, and when it is opened again."""
