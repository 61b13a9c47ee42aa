"""Generators of tasks: drawn from a server's own, from specifications of tool sequences, or by a language model.

`trainer data generate` runs them. Each speaks to a running server and to nothing else of it.
"""

from trainer_client.dataset.generate.llm import Generation, generate
from trainer_client.dataset.generate.rule import Drawing, draw
from trainer_client.dataset.generate.specs import Specification, samples

__all__ = ["Drawing", "Generation", "Specification", "draw", "generate", "samples"]
