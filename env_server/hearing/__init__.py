"""The meaning of an agent's message for one user's wishes: proposals, claims, refusals and told values.

`env_server.reading` reads a message by its words alone. This package matches its sentences with the wishes of a script
(`hear`) and with the values that a task requires the agent to tell (`dues`). It does not know which calls were made.
"""

from env_server.hearing.deeds import Deed
from env_server.hearing.dues import Shown, shown
from env_server.hearing.hear import ChangePlace, Heard, ProposedChange, hear

__all__ = ["ChangePlace", "Deed", "Heard", "ProposedChange", "Shown", "hear", "shown"]
