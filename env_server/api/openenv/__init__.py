"""OpenEnv's protocol (0.10). OpenEnv clients, and programs built on them, can play here unmodified.

An episode outlives its WebSocket. When the connection breaks, the episode keeps its state, and a reset with its name
resumes it. `frames` defines the messages, `session` plays, and `routes` has the endpoints.
"""
