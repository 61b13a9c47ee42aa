"""Makes the text output of code equal on every machine."""

import re
from typing import Final

SHOWN_FOLDER: Final = "/scratch"
_ADDRESS: Final = re.compile(r"(?<= at )0x[0-9a-f]+\b")


def steady(text: str, folder: str | None = None) -> str:
    """Replace what differs between runs of the same code: addresses and the random name of the scratch folder."""
    if folder is not None and folder in text:
        text = text.replace(folder, SHOWN_FOLDER)
    return _ADDRESS.sub("0x0", text) if " at 0x" in text else text
