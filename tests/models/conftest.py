"""Models asked over a real socket."""

from tests.users.model.conftest import begin, running, standin

__all__ = ["begin", "running", "standin"]
