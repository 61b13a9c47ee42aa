"""`communicate`: the required values that a message tells the user."""

from collections.abc import Collection, Sequence

from env_server.domains.kit import Dialect
from env_server.reading.words.said_values import said


def newly_said(outputs: Sequence[str], message: str, dialect: Dialect, already: Collection[int] = ()) -> list[int]:
    """Return the indices of `outputs` that `message` says, without those in `already`.

    Under a dialect with `outputs_as_substrings` the rule of the public benchmarks holds: an output is said if it is a
    substring of the lower-cased message without its commas.
    """
    open_ones = [i for i in range(len(outputs)) if i not in already]
    if dialect.outputs_as_substrings:
        plain = message.lower().replace(",", "")
        return [i for i in open_ones if outputs[i].lower() in plain]
    found = said([outputs[i] for i in open_ones], message) if open_ones else ()
    return [i for i, heard in zip(open_ones, found, strict=True) if heard]
