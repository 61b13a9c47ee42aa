"""The fixtures of tests/commands: an empty folder, no settings of the machine, and a way to run a command."""

from tests.commands.conftest import clean_surroundings, run

__all__ = ["clean_surroundings", "run"]
