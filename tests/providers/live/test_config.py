"""The file that names the servers: its contents, and the errors for wrong ones."""

import json
from pathlib import Path
from typing import Any

import pytest

from env_server.providers.live.config import ConfigProblem, parse_config, read_config

CHILD = {"command": "serve"}


def problem(data: Any, **environ: str) -> str:
    """The error for a wrong configuration."""
    with pytest.raises(ConfigProblem) as caught:
        parse_config(data, environ)
    return str(caught.value)


def of(**block: Any) -> dict[str, Any]:
    """A configuration with one server, `a`."""
    return {"mcpServers": {"a": block}}


def test_blocks_of_desktop_clients_are_read(tmp_path: Path) -> None:
    """The blocks of desktop clients are read with their keys and ours; the file may hold other things."""
    file = tmp_path / "servers.json"
    child = {"command": "npx", "args": ["-y", "x"], "env": {"KEY": "${ENV:X_KEY}"}, "cwd": "/srv", "type": "stdio"}
    web = {"url": "https://x.example/mcp", "headers": {"Authorization": "Bearer ${ENV:X_KEY}"}, "timeoutS": 5}
    off = {"command": "${ENV:NOT_SET}", "disabled": True}
    data = {"mcpServers": {"child": child, "web": web, "off": off}, "globalShortcut": "Ctrl+Space"}
    file.write_text(json.dumps(data), encoding="utf-8")
    first, second = read_config(file, {"X_KEY": "sesame"})
    assert (first.name, first.block.command, first.block.env) == ("child", "npx", {"KEY": "sesame"})
    assert first.block.per_episode
    assert (second.block.headers, second.block.timeout_s) == ({"Authorization": "Bearer sesame"}, 5)
    assert not second.block.per_episode
    assert "sesame" not in repr((first, second))


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ({}, "mcpServers.a: has either `command`"),
        ({**CHILD, "url": "http://x"}, "mcpServers.a: has either `command`"),
        ({"url": "x.example"}, "mcpServers.a: `url` is no http address"),
        ({"url": "http://x", "type": "sse"}, "mcpServers.a: `type: sse` is an obsolete transport"),
        ({"url": "http://x", "args": ["y"]}, "mcpServers.a: `args` does not go with `url`"),
        ({**CHILD, "headers": {"a": "b"}}, "mcpServers.a: `headers` does not go with `command`"),
        ({**CHILD, "allowTool": ["x"]}, "mcpServers.a.allowTool: unknown key"),
        ({**CHILD, "allowTools": []}, "mcpServers.a.allowTools: "),
        ({**CHILD, "args": ["x", 3]}, "mcpServers.a.args.1: Input should be a valid string"),
        ({**CHILD, "env": {"K": None}}, "mcpServers.a.env.K: Input should be a valid string"),
        ({**CHILD, "effects": {"x": "rows"}}, "mcpServers.a.effects.x: Input should be 'read' or 'write'"),
        ({**CHILD, "timeoutS": 0}, "mcpServers.a.timeoutS: Input should be greater than 0"),
        ({**CHILD, "concurrency": 0}, "mcpServers.a.concurrency: "),
        ({**CHILD, "env": {"K": "${ENV:NOPE}"}}, "mcpServers.a.env.K: the environment variable NOPE is not set"),
        ({**CHILD, "args": ["${HOME}"]}, "mcpServers.a.args.0: ${HOME} is unknown; write ${ENV:NAME}"),
        ({**CHILD, "shared": True, "args": ["${EPISODE_DIR}"]}, "mcpServers.a: ${EPISODE_DIR} needs a child process"),
    ],
)
def test_a_wrong_entry_is_named_by_its_path(block: dict[str, Any], said: str) -> None:
    """The message has the path of the wrong key, and says what is wrong there."""
    assert said in problem(of(**block))


def test_a_wrong_file_is_named(tmp_path: Path) -> None:
    """A missing file, a broken one and one of another kind are named, with the place of the mistake."""
    file = tmp_path / "servers.json"
    with pytest.raises(ConfigProblem, match=r"servers\.json: No such file"):
        read_config(file)
    for text, said in [
        ('{"mcpServers": {"a": }}', "line 1, column 22"),
        ("[]", "mcpServers: an object"),
        ('{"mcpServers": {"a": {"url": "http://x"}, "a": {}}}', "the key 'a' occurs twice"),
    ]:
        file.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigProblem) as caught:
            read_config(file)
        assert str(caught.value).startswith(str(file))
        assert said in str(caught.value)


@pytest.mark.parametrize("name", ["a__b", "a_", "", "a b", "a" * 41])
def test_a_servers_name_is_part_of_tool_names(name: str) -> None:
    """A server's name that would make names of tools ambiguous or invalid is refused."""
    assert "a server's name has letters" in problem({"mcpServers": {name: CHILD}})


def test_secrets_are_in_no_message() -> None:
    """A message never holds a value of the file, because it may be a credential."""
    assert "sesame" not in problem(of(command="x", env={"KEY": ["sesame"]}, headers={"X": "${ENV:X}"}), X="sesame")
