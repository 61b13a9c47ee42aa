"""The fixtures of the other commands: an empty folder, no settings of the machine's, and a way to run a command."""

from tests.commands.conftest import clean_surroundings, run

__all__ = ["clean_surroundings", "run"]
