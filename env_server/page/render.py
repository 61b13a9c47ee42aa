"""Templates to responses. Every value is escaped; only rendered policies are marked as safe."""

from datetime import UTC, datetime
from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from env_server.api.openapi import VERSION
from env_server.page.views.texts import emoji_words, pretty
from env_server.page.views.verdict import ended_because


def html(request: Request, template: str, status: int = 200, **values: Any) -> Response:
    """Return the response with a template's text."""
    state = request.state
    shared = {"caller": state.caller, "token": state.token, "asks": request.app.state.page_sessions.ask}
    text = environment().get_template(template).render(**shared, path=request.url.path, **values)
    return HTMLResponse(text, status)


@cache
def environment() -> Environment:
    """Return the environment of the templates."""
    made = Environment(
        loader=PackageLoader("env_server.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["version"] = VERSION
    made.filters |= {"markdown": markdown, "when": when, "reward": reward, "pretty": pretty, "percent": percent,
                     "signed": signed, "ended": ended_because, "emoji": emoji_words}  # fmt: skip
    return made


def markdown(text: str) -> Markup:
    """Return rendered Markdown. HTML in it is escaped, links to scripts stay text, and pictures are left out."""
    made = MarkdownIt("js-default", {"html": False, "linkify": False}).disable("image")
    return Markup(made.render(text))


def when(seconds: float) -> str:
    """Return a time as a date and an hour in UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S")


def reward(value: float | None) -> str:
    """Return a reward as a short number."""
    return "not scored" if value is None else f"{value:.3g}"


def percent(share: float) -> str:
    """Return a share as a percentage."""
    return f"{share * 100:.1f}\N{NO-BREAK SPACE}%"


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign."""
    return f"{value:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
