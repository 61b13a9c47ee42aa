"""The examples of docs/clients.md, run against a real server with a stand-in for the agents' model."""

import re
from pathlib import Path

import pytest

from tests.docs.test_python import blocks
from tests.e2e.server import Server
from tests.standin.protocol import Call, Reply
from tests.standin.server import StandIn

PAGE = Path(__file__).parents[2] / "docs" / "clients.md"
SPEAK = Reply(calls=(Call("respond", {"message": "Hello! What is your email address?"}),))


def test_the_examples_run(server: Server, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Each block runs alone; both agents speak to the user and end."""
    with StandIn().then(SPEAK, "That is all.", SPEAK, "That is all.") as standin:
        monkeypatch.setenv("ENV_SERVER_URL", server.url)
        monkeypatch.setenv("OPENAI_BASE_URL", standin.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        for source in blocks(PAGE):
            exec(compile(source, str(PAGE), "exec"), {"__name__": "example_clients"})  # noqa: S102 - our own page
    assert capsys.readouterr().out == "That is all.\nThat is all.\n"


def test_the_openenv_example_is_one_block() -> None:
    """tests/e2e/test_openenv_client.py runs this block where OpenEnv is installed."""
    assert len(re.findall(r"```py\n(.*?)```", PAGE.read_text(), re.S)) == 1
