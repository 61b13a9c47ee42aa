"""Endpoints of language models: connections, limits, circuit breakers and answers."""
