"""Models asked over a real socket."""

from tests.standin.fixtures import running, standin
from tests.users.model.conftest import begin

__all__ = ["begin", "running", "standin"]
