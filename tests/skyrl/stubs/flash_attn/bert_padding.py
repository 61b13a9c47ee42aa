"""The functions that SkyRL's workers import; with trainer.remove_microbatch_padding=false none is called."""

from typing import NoReturn


def pad_input(*_: object) -> NoReturn:
    """Refuse."""
    raise RuntimeError("there is no flash-attn on a CPU: set trainer.remove_microbatch_padding=false")


unpad_input = pad_input
