"""The meaning of an agent's message for one user's wishes: proposals, claims, refusals and told values.

`env_server.reading` reads a message by its words alone. This package matches its sentences with the wishes of a script
(`hear`) and with the values that a task requires the agent to tell (`dues`). It does not know which calls were made.
"""

from env_server.understanding.dues import Shown, shown
from env_server.understanding.ear import ChangePlace
from env_server.understanding.hear import Heard, hear
from env_server.understanding.proposed import ProposedChange
from env_server.understanding.reported_actions import Deed

__all__ = ["ChangePlace", "Deed", "Heard", "ProposedChange", "Shown", "hear", "shown"]
