"""The generated reference is complete: what the code has is on its page, once, in a place that can be linked."""

import re
from collections.abc import Mapping

import pytest
from typer._click.core import Command
from typer.main import get_command

from agent_env_schemas import ErrorCode, StopReason
from env_server.cli import app
from env_server.domains.discovery import hosted
from env_server.providers.spec import FailureKind
from env_server.settings import PREFIX, Settings
from env_server.telemetry.metrics import REGISTRY
from scripts.docsite.reference import errors, metrics, pages, served, settings
from trainer_client.cli import parser


@pytest.fixture(scope="module")
def reference() -> Mapping[str, str]:
    """The pages by name."""
    return pages()


def first_cells(page: str) -> list[str]:
    """The code in the first column of a page's tables."""
    return [name for line in re.findall(r"^\| (`.+?) \|", page, re.M) for name in re.findall(r"`([^`]+)`", line)]


def headings(page: str) -> list[str]:
    """The headings of a page."""
    return re.findall(r"^#+ (.+)$", page, re.M)


def test_every_operation_and_schema(reference: Mapping[str, str]) -> None:
    """Each operation and each schema of the OpenAPI document has a heading, and each field a row."""
    document, shown = served.document(), headings(reference["rest.md"])
    operations = [f"{method.upper()} {path}" for path, found in document["paths"].items() for method in found]
    assert len(operations) > 20
    assert [name for name in (*operations, *document["components"]["schemas"]) if shown.count(name) != 1] == []
    rows = first_cells(reference["rest.md"])
    fields = {field for schema in document["components"]["schemas"].values() for field in schema.get("properties", ())}
    assert fields - {*rows} == set()


def test_every_route(reference: Mapping[str, str]) -> None:
    """Each route of the application is described: as an operation, or among the other addresses."""
    operations = {line.partition(" ")[2] for line in headings(reference["rest.md"])}
    described = operations | {address.removesuffix("/...") for address in first_cells(reference["rest.md"])}
    routes = {getattr(route, "path", "").replace(":path}", "}") or "/" for route in served.routes()}
    assert len(routes) > 50
    assert routes - described == set()


def test_every_setting(reference: Mapping[str, str]) -> None:
    """Each setting of the server and of the tool servers has a row, with its default, and no row is twice."""
    rows = first_cells(reference["settings.md"])
    ours = {str(field.validation_alias or f"{PREFIX}{name.upper()}") for name, field in Settings.model_fields.items()}
    theirs = {
        str(name)
        for found in settings.SERVERS.values()
        for field in found.model_fields.values()
        for name in getattr(field.validation_alias, "choices", [field.validation_alias])
    }
    assert len(theirs) > 20
    assert (ours | theirs) - {*rows} == set()
    assert [name for name in ours if rows.count(name) != 1] == []
    assert re.search(
        r"\| `ENV_SERVER_PORT` \| whole number \| at least 0, at most 65535 \| `8000` \|", reference["settings.md"]
    )


def test_every_metric() -> None:
    """Each metric has a row with its kind, its labels and its text."""
    rows = {name: (kind, labels, text) for name, kind, labels, text in metrics.rows()}
    for family in REGISTRY.collect():
        kind, _, text = rows[f"`{family.name}{'_total' if family.type == 'counter' else ''}`"]
        assert (kind, text) == (family.type, family.documentation)
    assert rows["`env_server_tool_calls_total`"][1] == "`domain`, `tool`, `outcome`"
    assert rows["`env_server_server_children`"][1] == "`server`"


@pytest.mark.parametrize("domain", sorted(hosted((), {})))
def test_every_tool(reference: Mapping[str, str], domain: str) -> None:
    """Each tool of a domain has a heading, with its arguments, and the list of domains leads to the page."""
    pack = hosted((), {})[domain]["builtin"]
    page = reference[f"tools/{domain}.md"]
    tools = [*pack.agent_tools, *pack.user_tools]
    assert [name for name in tools if headings(page).count(name) != 1] == []
    for tool in (*pack.agent_tools.values(), *pack.user_tools.values()):
        text = page.partition(f"### {tool.name}\n")[2].partition("\n### ")[0]
        assert first_cells(text) == list(pack.schema(tool)["function"]["parameters"].get("properties", {})), tool.name
    assert f"](tools/{domain}.md)" in reference["tools.md"]


@pytest.mark.parametrize("kind", [ErrorCode, StopReason, FailureKind])
def test_every_code(reference: Mapping[str, str], kind: type[ErrorCode | StopReason | FailureKind]) -> None:
    """Each code has a row. Those that callers see have a text."""
    assert {member.value for member in kind} - {*first_cells(reference["errors.md"])} == set()
    if kind is not FailureKind:
        assert {*errors.docstrings(kind)} == {member.name for member in kind}


def test_every_command(reference: Mapping[str, str]) -> None:
    """Each command has a heading, also below groups, and its options are listed. Hidden options are not."""
    page = reference["commands.md"]

    def names(command: Command, name: str) -> list[str]:
        below = getattr(command, "commands", {})
        return [name, *(found for key, sub in below.items() for found in names(sub, f"{name} {key}"))]

    assert [name for name in names(get_command(app), "env-server") if headings(page).count(name) != 1] == []
    assert {"trainer", "trainer data prepare", "trainer export"} <= {*headings(page)}
    assert parser().prog == "trainer"
    assert "`--policy-url <str>`" in page
    assert "--agent-url" not in page
