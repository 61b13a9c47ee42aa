"""The desk: a switchboard, and the smallest domain that can be learned. One short call solves each of its tasks."""

from env_server.domains.kit import Dialect, Domain

from . import tools
from .tables import LINES
from .tasks import Callers

domain = Domain(
    name="desk",
    description="A switchboard: every caller is put through to the line they ask for.",
    tables=(LINES,),
    tools_module=tools,
    world=lambda *, scale=1: {"lines": [{"line": name, "busy": False} for name in tools.NAMES]},  # noqa: ARG005
    tasks=Callers(),
    dialects={"builtin": Dialect()},
)
