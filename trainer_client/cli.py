"""The command line of the trainer's side: `trainer data`, `trainer config`, `trainer doctor`, `trainer export`.

The parser is argparse, because the base distribution has no other. A command imports optional libraries when it runs.
"""

import argparse
import sys
from collections.abc import Sequence

from pydantic import ValidationError

from trainer_client.client.errors import AgentEnvError
from trainer_client.dataset import command
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.export import command as data_export
from trainer_client.dataset.generate import command as generate_command
from trainer_client.recipes.doctor import command as doctor_command
from trainer_client.recipes.explain import command as explain_command
from trainer_client.recipes.export import command as export_command
from trainer_client.recipes.export.source import ExportError

DONE, FAILED, MISUSED, UNCHECKED = 0, 1, 2, 3
"""Exit statuses: success; nothing passed, or a check failed; an error; a check that could not be made here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program with `arguments` (those of the process by default); returns its exit status."""
    options = parser().parse_args(arguments)
    try:
        ok: bool | None = options.run(options)
    except (DataError, ExportError, AgentEnvError) as e:
        return _fail(str(e))
    except ValidationError as e:
        first = e.errors()[0]
        return _fail(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
    except KeyboardInterrupt:
        return _fail("interrupted")
    return UNCHECKED if ok is None else DONE if ok else FAILED


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    found = argparse.ArgumentParser(
        prog="trainer", description="Make training sets from an env-server, and use what was trained."
    )
    groups = found.add_subparsers(required=True, metavar="data|config|doctor|export", title="commands")
    data = groups.add_parser("data", help="make data sets for SkyRL", description="Make data sets for SkyRL.")
    ways = data.add_subparsers(required=True, metavar="prepare|convert|generate|export", title="commands")
    command.add_to(ways)
    generate_command.add_to(ways)
    data_export.add_to(ways)
    settings = groups.add_parser("config", help="settings of training jobs", description="Settings of training jobs.")
    explain_command.add_to(settings.add_subparsers(required=True, metavar="explain", title="commands"))
    doctor_command.add_to(groups)
    export_command.add_to(groups)
    return found


def _fail(message: str) -> int:
    """Print an error in one line without control characters: a server's text must not control the terminal."""
    line = " ".join(message.split())
    print("error: " + "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in line), file=sys.stderr)
    return MISUSED
