"""Ages of episodes in options, such as 30d."""

import re
from time import time

from env_server.commands.output import fail
from env_server.settings import Settings

UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0, "w": 604_800.0}


def ended_before(older_than: str, settings: Settings) -> float:
    """Return the time, in seconds since the epoch, before which an episode must have ended to be older than this.

    End the program if `older_than` is no age, or an age at which a server may still have the episode in memory.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([smhdw])", older_than.strip())
    if found is None:
        fail(f"--older-than {older_than!r} is no age: write 30d, 12h, 90m, 45s or 2w")
    age = float(found[1]) * UNITS[found[2]]
    if age < settings.evict_after_s:
        fail(
            f"--older-than {older_than} is too short: servers keep an episode in memory for "
            f"ENV_SERVER_EVICT_AFTER_S ({settings.evict_after_s:g} s) after its last call"
        )
    return time() - age
