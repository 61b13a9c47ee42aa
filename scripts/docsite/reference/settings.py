"""The page of settings: types, defaults and bounds from the classes, texts from `.env.example` and from docstrings."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

from pydantic import AliasChoices
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

from env_server.settings import PREFIX, Settings
from mcp_servers.fmp.api import Settings as Fmp
from mcp_servers.kit.settings import Settings as Common
from mcp_servers.polygon.api import Settings as Polygon
from mcp_servers.python.settings import Settings as Python
from mcp_servers.slack.api import Settings as Slack
from mcp_servers.tavily.api import Settings as Tavily
from scripts.docsite.markdown import code, table

EXAMPLE = Path(__file__).parents[3] / ".env.example"
HEAD = """# Settings

*Generated from the code and from `.env.example`.*

Environment variables, or lines of a file `.env` in the folder in which the server starts. Sizes are in bytes, times in
seconds. [Operating a server](../operating.md) explains them.

"""
SERVERS: Mapping[str, type[Common]] = {
    "polygon": Polygon,
    "fmp": Fmp,
    "tavily": Tavily,
    "slack": Slack,
    "python": Python,
}
TOOL_SERVERS = "Tool servers"


class Group(NamedTuple):
    """Variables of `.env.example` that one comment explains."""

    section: str
    text: str
    variables: dict[str, str]


def page() -> str:
    """Return the page."""
    fields = {_variable(name, field): field for name, field in Settings.model_fields.items()}
    parts, section = [HEAD], ""
    for group in groups():
        if group.section.startswith(TOOL_SERVERS):
            continue
        if group.section != section:
            section = group.section
            parts.append(f"## {section}\n\n")
        parts.append(group.text + "\n\n")
        rows = (
            (code(name), *_type(fields.get(name)), _default(fields.get(name), shown))
            for name, shown in group.variables.items()
        )
        parts.append(table(("variable", "type", "limits", "default"), rows))
    return "".join(parts) + _tool_servers()


def groups() -> Iterator[Group]:
    """Yield the groups of `.env.example`, in order."""
    section, text, variables = "", list[str](), dict[str, str]()
    for line in [*EXAMPLE.read_text(encoding="utf-8").splitlines(), ""]:
        if heading := re.fullmatch(r"# --- (.+?)(?: \(.*\))? -+", line):
            section = heading[1]
        elif setting := re.fullmatch(r"#([A-Z][A-Z0-9_]*)=(.*)", line):
            variables[setting[1]] = setting[2]
        elif line.startswith("# "):
            text.append(line[2:])
        elif not line:
            if section and variables:
                yield Group(section, " ".join(text), variables)
            text, variables = [], {}


def _tool_servers() -> str:
    """Return the part about the tool servers: what all of them have in common, then each."""
    shared = set.intersection(*({*found.model_fields} for found in SERVERS.values()))
    parts = ["## Tool servers\n\nWhat every [tool server](../mcp_servers.md) reads.\n\n"]
    heads = ("variable", "type", "limits", "default", "meaning")
    parts.append(table(heads, (_described(n, f) for n, f in Python.model_fields.items() if n in shared)))
    for name, found in SERVERS.items():
        parts.append(f"### mcp-{name}\n\n")
        parts.append(table(heads, (_described(n, f) for n, f in found.model_fields.items() if n not in shared)))
    return "".join(parts)


def _described(name: str, field: FieldInfo) -> tuple[str, ...]:
    alias = field.validation_alias
    names = list(map(str, alias.choices)) if isinstance(alias, AliasChoices) else [str(alias or name)]
    text = (field.description or "").partition("\n\n")[0]
    return " or ".join(map(code, names)), *_type(field), _default(field, ""), text


def _variable(name: str, field: FieldInfo) -> str:
    return str(field.validation_alias or f"{PREFIX}{name.upper()}")


def _type(field: FieldInfo | None) -> tuple[str, str]:
    """Return the type and the limits of a setting; empty texts if no settings class declares it."""
    if field is None:
        return "", ""
    limits = [
        f"{sign} {getattr(bound, name):g}"
        for bound in field.metadata
        for name, sign in (("ge", "at least"), ("gt", "more than"), ("le", "at most"), ("lt", "less than"))
        if getattr(bound, name, None) is not None
    ]
    return _named(field.annotation), ", ".join(limits)


def _named(kind: Any) -> str:
    """Return the name of a type, without the possibility that it is not set."""
    if get_origin(kind) is Literal:
        return " or ".join(map(code, get_args(kind)))
    if several := [part for part in get_args(kind) if part is not type(None)]:
        return " or ".join(map(_named, several))
    names = {"str": "text", "SecretStr": "secret", "int": "whole number", "float": "number", "bool": "true or false"}
    name: str = kind.__name__
    return names.get(name, name.lower())


def _default(field: FieldInfo | None, shown: str) -> str:
    """Return the default, or an example if there is none."""
    if field is None:
        return code(shown)
    if field.default_factory is None and field.default not in (None, "", PydanticUndefined):
        return code(str(field.default).lower() if isinstance(field.default, bool) else field.default)
    return f"none, such as {code(shown)}" if shown else ""
