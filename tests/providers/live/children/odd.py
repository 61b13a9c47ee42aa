"""A server over stdio with tools that count, wait, end the process, and tell about it.

It speaks the protocol of 2025 by hand, because a child that imports the SDK takes seconds to start.
"""

import base64
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

noted: list[str] = []
running = [0, 0]
lock = threading.Lock()
SCHEMAS: dict[str, Any] = {
    "shaped": {"type": "object", "properties": {"v": {"type": "string"}}, "required": ["v"]},
    "circle": {"type": "object", "$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}},
}
tools: dict[str, tuple[Callable[..., Any], bool]] = {}


def tool(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offer a tool about whose effects nothing is said."""
    tools[function.__name__] = function, False
    return function


def reads(function: Callable[..., Any]) -> Callable[..., Any]:
    """Offer a tool that changes nothing."""
    tools[function.__name__] = function, True
    return function


@tool
def note(text: str) -> str:
    """Keep a text in this process."""
    noted.append(text)
    return "noted"


@reads
def notes() -> list[str]:
    """Return the texts that were kept."""
    return noted


@reads
def process() -> int:
    """Return the number of this process."""
    return os.getpid()


@reads
def environment() -> dict[str, str]:
    """Return the environment."""
    return dict(os.environ)


@reads
def place() -> str:
    """Return the variable PLACE, backwards, so that nobody on the way recognises it."""
    return os.environ["PLACE"][::-1]


@reads
def is_folder(path: str) -> bool:
    """Return whether a path leads to a folder."""
    return Path(path).is_dir()


@reads
def say(text: str) -> str:
    """Return a text."""
    return text


@reads
def busy(seconds: float) -> int:
    """Wait, and return how many of these calls have run at a time so far."""
    with lock:
        running[0] += 1
        running[1] = max(running)
    time.sleep(seconds)
    with lock:
        running[0] -= 1
    return running[1]


@tool
def leave_running(*, stubborn: bool) -> int:
    """Start a process in the background, and return its number."""
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(3600)"
    command = [sys.executable, "-c", code] if stubborn else ["sh", "-c", "echo; exec sleep 3600"]
    started = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert started.stdout is not None
    started.stdout.readline()  # wait until the process runs
    return started.pid


@reads
def hang() -> None:
    """Never answer."""
    time.sleep(3600)


@tool
def hang_writing() -> None:
    """Never answer, and say nothing about effects."""
    time.sleep(3600)


@reads
def leave(mark: str) -> str:
    """End the process at the first call, and answer at later ones. The file `mark` tells them apart."""
    if not Path(mark).exists():
        Path(mark).touch()
        print("leaving now, key", os.environ.get("ODD_KEY"), file=sys.stderr, flush=True)
        os._exit(3)
    return "stayed"


@reads
def always_leaves() -> None:
    """End the process at each call."""
    os._exit(3)


@tool
def leave_writing() -> None:
    """End the process, and say nothing about effects."""
    os._exit(3)


@reads
def limited() -> dict[str, Any]:
    """Answer with an error that states its kind."""
    return {"content": [{"type": "text", "text": "[rate_limited] too many calls"}], "isError": True}


@reads
def picture() -> dict[str, Any]:
    """Return an image and a link beside a text."""
    image = {"type": "image", "data": base64.b64encode(b"pixels").decode(), "mimeType": "image/png"}
    link = {"type": "resource_link", "uri": "file:///a.csv", "name": "a.csv", "mimeType": "text/csv"}
    return {"content": [{"type": "text", "text": "look"}, image, link], "structuredContent": {"seen": True}}


@reads
def raw(body: str) -> None:
    """Print a body in place of the result; `ID` in it stands for the number of the request."""


@reads
def huge(megabytes: int) -> str:
    """Return a long text."""
    return "x" * (megabytes * 1_000_000)


@reads
def changing() -> str:
    """Say that the tools have changed, before and after the answer, and ask the client for its roots."""
    for line in ({"method": "notifications/tools/list_changed"}, {"id": "mine", "method": "roots/list"}):
        print(json.dumps({"jsonrpc": "2.0", **line}), flush=True)
    return "changed"


def listed(name: str, function: Callable[..., Any], reading: bool) -> dict[str, Any]:
    """Return a tool as a listing has it."""
    names = [name for name in function.__annotations__ if name != "return"]
    entry = {"name": name, "description": function.__doc__, "inputSchema": {"type": "object", "required": names}}
    if name in SCHEMAS:
        entry["outputSchema"] = SCHEMAS[name]
    return entry | ({"annotations": {"readOnlyHint": True}} if reading else {})


def called(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """Return the result of a call."""
    try:
        found = tools[name][0](**arguments)
    except TypeError as e:
        return {"content": [{"type": "text", "text": str(e)}], "isError": True}
    if isinstance(found, dict) and "content" in found:
        return found
    structure = found if isinstance(found, dict) else {"result": found}
    return {"content": [{"type": "text", "text": str(found)}], "structuredContent": structure}


def answer(message: dict[str, Any]) -> None:
    """Answer a request."""
    given, reply = message.get("params", {}), {"jsonrpc": "2.0", "id": message["id"]}
    match message["method"]:
        case "initialize":
            about = {"name": "odd", "version": "1"}
            reply["result"] = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            more = json.loads(sys.argv[sys.argv.index("--also") + 1]) if "--also" in sys.argv else []
            reply["result"] = {"tools": [*(listed(name, *entry) for name, entry in tools.items()), *more]}
        case "tools/call" if given["name"] == "raw":
            with lock:
                print(given["arguments"]["body"].replace('"ID"', json.dumps(message["id"])), flush=True)
            return
        case "tools/call" if given["name"] not in tools:
            reply["error"] = {"code": -32602, "message": f"no tool {given['name']}"}
        case "tools/call":
            reply["result"] = called(given["name"], given.get("arguments", {}))
        case method:
            reply["error"] = {"code": -32601, "message": f"no method {method}"}
    with lock:
        print(json.dumps(reply), flush=True)


def shaped(kind: str) -> dict[str, Any]:
    """Return a result that need not fit the tool's output schema: `right`, `wrong`, `wide`, `none` or `failed`."""
    structures: dict[str, Any] = {"right": {"v": "x"}, "wrong": {"v": 5}, "wide": {"v": 10**30}}
    result: dict[str, Any] = {"content": [{"type": "text", "text": kind * 50}], "isError": kind == "failed"}
    return result | ({"structuredContent": structures[kind]} if kind in structures else {})


def late_tool() -> str:
    """Come later."""
    return "late"


def main() -> None:
    """Serve until the input ends. With `--late FILE`, offer one tool more from the second start on.

    With `--shapes`, offer tools with output schemas.
    """
    if "--shapes" in sys.argv:
        tools.update(dict.fromkeys(SCHEMAS, (shaped, True)))
    if "--late" in sys.argv:
        mark = Path(sys.argv[-1])
        if mark.exists():
            reads(late_tool)
        mark.touch()
    print("this line is no message", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" in message and "method" in message:
            threading.Thread(target=answer, args=(message,), daemon=True).start()


if __name__ == "__main__":
    main()
