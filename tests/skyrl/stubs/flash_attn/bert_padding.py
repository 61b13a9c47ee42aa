"""What SkyRL's workers import of it; with trainer.remove_microbatch_padding=false nothing calls it."""

from typing import NoReturn


def pad_input(*_: object) -> NoReturn:
    """Refuse."""
    raise RuntimeError("there is no flash-attn on a CPU: set trainer.remove_microbatch_padding=false")


unpad_input = pad_input
