"""An episode as commands: what a person pastes to play the same turns again with curl or in Python."""

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from env_server.page.views.conversation import ended_by_server

Request = tuple[str, dict[str, Any]]
"""A path of the API and a JSON body."""


def requests_of(episode: Mapping[str, Any], turns: Sequence[Mapping[str, Any]], user: str) -> list[Request]:
    """Return the requests that play the episode again: the reset, then what either side did.

    The id of the new episode is not known yet, so the requests name `latest`. `user` is the strategy of its user.
    """
    reset = {
        "domain": episode["domain"],
        "pack": episode["pack"],
        "task_id": episode["task_id"],
        "seed": episode["seed"],
    }
    found: list[Request] = [("/reset", reset | {"user": {"strategy": user}})]
    for turn in turns:
        for part in turn["parts"]:
            if part["part"] == "user":
                found.append(("/episodes/latest/user", {"turn": turn["turn"], **part["action"]}))
            elif not ended_by_server(part["action"]):
                found.append(("/step", {"episode_id": "latest", "turn": turn["turn"], "action": part["action"]}))
    return found


def curl(address: str, requests: Sequence[Request], *, key: bool) -> str:
    """Return shell commands. With `key`, they send `$ENV_SERVER_KEY`."""
    header = ' -H "Authorization: Bearer $ENV_SERVER_KEY"' if key else ""
    return "\n".join(
        f"curl -s{header} {shlex.quote(address + path)} -d {shlex.quote(json.dumps(body))}" for path, body in requests
    )


def python(address: str, requests: Sequence[Request], *, key: bool) -> str:
    """Return a Python program that needs httpx2 alone. With `key`, it reads ENV_SERVER_KEY."""
    head = ["import os", "", "import httpx2", ""] if key else ["import httpx2", ""]
    headers = ', headers={"Authorization": f"Bearer {os.environ[\'ENV_SERVER_KEY\']}"}' if key else ""
    lines = [*head, f"with httpx2.Client(base_url={address!r}{headers}) as server:"]
    lines += [f"    reply = server.post({path!r}, json={body!r}).raise_for_status().json()" for path, body in requests]
    return "\n".join([*lines, '    print(reply.get("reward"), reply["info"])'])
