"""Training sets for SkyRL: rows that name an episode, made from a server's tasks or from tasks of your own.

`prepare` makes rows of listed tasks, `convert` of tau-bench-style JSON. A row holds no episode, only what begins one,
so it can be played any number of times; docs/data.md has its columns.
"""

from trainer_client.dataset.convert import Conversion, convert
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.prepare import Preparation, prepare
from trainer_client.dataset.rows import write

__all__ = ["Conversion", "DataError", "Preparation", "convert", "prepare", "write"]
