"""Finds the values of a configuration that are secrets. They are masked in results and errors."""

import json
import re
from collections.abc import Iterator
from urllib.parse import parse_qsl, urlsplit

from env_server.providers.live.config import ServerConfig
from env_server.providers.live.substitute import EPISODE_DIR
from mcp_servers.kit.redact import SHORTEST, Redactor

_PLAIN = re.compile(
    r"(?x) (?i:true|false|yes|no|on|off|none|debug|info|warning|error|critical)"
    r" | [-+.\d]+ | \d{4}-\d\d-\d\d ([T\ ][\d:.]+ (Z|[-+][\d:]+)?)? | [a-z]{2} ([-_][A-Z]{2} (\.[Uu][Tt][Ff]-?8)?)?"
    r" | [A-Z][a-z]+ (/[A-Z][A-Za-z_]+){1,2} | (/[\w.\ @+-]+)+ (:(/[\w.\ @+-]+)+)* /? | https?://[\w.:-]+ (/[\w./-]*)?"
)
"""Switches, numbers, dates, languages, time zones, paths and addresses. Masking them would spoil results."""

_SECRET_NAME = re.compile(r"(?i)key|token|secret|passw|auth|credential|cookie")


def redactor(config: ServerConfig) -> Redactor:
    """Return the redactor of a server: values of `env` and `headers`, and whatever came from the environment.

    A value that is plainly a setting is not masked, unless the name of its key tells that it is a secret.
    """
    found = {secret for secret in _secrets(config) if secret != config.name}  # its own name is known to everybody
    return Redactor(found | {json.dumps(secret)[1:-1] for secret in found})


def masked_settings(config: ServerConfig) -> list[str]:
    """Return the variables of a server that are masked although their names do not tell of a secret."""
    return [
        name
        for name, value in config.block.env.items()
        if len(value) >= SHORTEST and value != config.name and not _SECRET_NAME.search(name) and _is_masked(name, value)
    ]


def _is_masked(name: str, value: str) -> bool:
    return bool(_SECRET_NAME.search(name)) or not (EPISODE_DIR in value or _PLAIN.fullmatch(value))


def _secrets(config: ServerConfig) -> Iterator[str]:
    block = config.block
    yield from (value for value in config.used if not _PLAIN.fullmatch(value))
    for name, value in [*block.env.items(), *block.headers.items()]:
        if _is_masked(name, value):
            yield value
    for value in block.headers.values():
        yield from value.split()[1:]  # the credential after `Bearer`
    if block.url is not None:
        parts = urlsplit(block.url)
        yield from (value for _, value in parse_qsl(parts.query))
        yield from filter(None, (parts.password,))
