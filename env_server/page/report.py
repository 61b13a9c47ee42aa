"""A run as one HTML file that can be mailed: it has its style inside, no scripts, and links only to itself."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from markupsafe import Markup

from env_server.page.render import environment
from env_server.page.views.run import FailureGroup, RunEpisode


def report_html(
    run: str,
    spec: Mapping[str, Any],
    summary: Mapping[str, Any],
    groups: Sequence[FailureGroup],
    episodes: Sequence[RunEpisode],
    kind: str = "Evaluation",
) -> str:
    """Return the text of the file.

    `kind` stands before the name of the run. `spec` has its options, and `summary` the figures of
    `env_server.evals.report.summary`. The content security policy of the file allows its own style and nothing else.
    """
    style = _style()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    asked = {name: value for name, value in spec.items() if value is not None}
    values = {"kind": kind, "run": run, "asked": asked, "summary": summary, "groups": groups, "episodes": episodes}
    # The style is a file of this package.
    return environment().get_template("report.html").render(style=Markup(style), digest=digest, **values)


@cache
def _style() -> str:
    return (files("env_server.page") / "static" / "page.css").read_text(encoding="utf-8")
