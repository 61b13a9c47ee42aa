"""The names of SkyRL's settings and of ours, without SkyRL."""

from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from trainer_client.recipes.grpo.settings import PREFIX
from trainer_client.skyrl.shared_client import ServerSettings

FREE = ".*"
"""The end of a name in the list below which every key is one."""


@cache
def _listed() -> frozenset[str]:
    """SkyRL 0.3.0's settings; tests/skyrl compare the list with SkyRL's schema."""
    text = files(__package__).joinpath("skyrl_settings.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def settings() -> list[str]:
    """SkyRL's settings, and those of `agent_env`, in the order of the alphabet."""
    own = (f"{PREFIX}{name}" for name in ServerSettings.__annotations__)
    return sorted({*(name.removesuffix(FREE) for name in _listed()), *own})


def is_setting(name: str) -> bool:
    """Whether a job has this setting; what is below `agent_env` is checked with its value."""
    free = any(f"{section}{FREE}" in _listed() for section in sections(name))
    return free or name in _listed() or name.startswith(PREFIX)


def sections(name: str) -> Iterator[str]:
    """The name, and the sections that it is in, from the innermost."""
    while name:
        yield name
        name = name.rpartition(".")[0]
