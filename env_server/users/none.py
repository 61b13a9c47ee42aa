"""No user at all: the agent works alone on the task's instruction."""

from env_server.users.external import Silent

NONE = Silent("none", awaits=False)
"""Solo tasks."""
