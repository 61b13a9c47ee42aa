"""OpenEnv's protocol (0.10), so that its clients and what stands on them can play here unmodified.

A WebSocket is a way to an episode and not the episode: when it breaks, the episode goes on where it was, and a reset
that names it resumes it. `frames` says what goes over the wire, `session` plays, `routes` are the endpoints.
"""
