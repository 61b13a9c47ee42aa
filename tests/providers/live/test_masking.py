"""Which values of a configuration are masked."""

import json

import pytest

from env_server.providers.live.config import parse_config
from env_server.providers.live.masking import redactor


@pytest.mark.parametrize(
    ("name", "value", "masked"),
    [
        ("X_KEY", "4711", True),
        ("X_TOKEN", "true-ish", True),
        ("WHATEVER", "hf_Ab3x/9+Zq", True),
        ("WHATEVER", 'a"b\\c d', True),
        ("LEVEL", "debug", False),
        ("YEAR", "2026", False),
        ("NOW", "2026-06-30T12:00:00Z", False),
        ("ZONE", "Europe/Berlin", False),
        ("LANG", "en_US.UTF-8", False),
        ("PYTHONPATH", "/srv/app:/srv/lib", False),
        ("BASE_URL", "https://x.example/v1", False),
    ],
)
def test_credentials_are_masked_and_settings_are_not(name: str, value: str, masked: bool) -> None:
    """A value is masked, unless it is plainly a setting and its key does not sound like a secret."""
    (config,) = parse_config({"mcpServers": {"a": {"command": "x", "env": {name: value}}}}, {})
    assert (redactor(config).text(f"<{value}>") == "<[secret]>") is masked
    assert (value not in json.loads(json.dumps(redactor(config).value({"a": [value]})))["a"]) is masked
    assert (json.dumps(value)[1:-1] not in redactor(config).text(json.dumps(value))) is masked


def test_the_servers_own_name_is_no_secret() -> None:
    """A value that is the server's own name is not masked, because messages about the server contain it."""
    (config,) = parse_config({"mcpServers": {"notes": {"command": "x", "env": {"MODE": "notes"}}}}, {})
    assert redactor(config).text("the server notes") == "the server notes"


def test_credentials_of_a_url_and_of_headers_are_masked() -> None:
    """Values in a URL's query, passwords, what follows `Bearer`, and values from the environment are masked too."""
    block = {
        "url": "https://u:pass-word@x.example/mcp?plan=gold-plan",
        "headers": {"Authorization": "Bearer abcd.efgh"},
    }
    child = {"command": "x", "args": ["--key=${ENV:GIVEN}"]}
    web, process = parse_config({"mcpServers": {"a": block, "b": child}}, {"GIVEN": "from-outside"})
    assert redactor(web).text("pass-word gold-plan abcd.efgh") == "[secret] [secret] [secret]"
    assert redactor(process).text("from-outside") == "[secret]"
