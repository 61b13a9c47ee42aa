"""Training sets for SkyRL: rows that describe an episode, made from a server's tasks or from your own tasks.

`prepare` makes rows of the tasks that a server lists, and `convert` makes rows of tau-bench-style JSON. A row holds the
request that begins an episode, so it can be played any number of times. docs/data.md explains its columns.
"""

from trainer_client.dataset.convert import Conversion, convert
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.prepare import Preparation, prepare
from trainer_client.dataset.row_files import write

__all__ = ["Conversion", "DataError", "Preparation", "convert", "prepare", "write"]
