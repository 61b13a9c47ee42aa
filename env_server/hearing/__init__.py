"""Hears what an agent's message means for one user's wishes: what it proposes, claims, refuses and tells of them.

A message is read by its words alone (`env_server.reading`); here its sentences are matched with the wishes of a script
(`hear`) and with what a task has to have told (`dues`). Nothing here knows which calls were made.
"""

from env_server.hearing.deeds import Deed
from env_server.hearing.dues import Shown, shown
from env_server.hearing.hear import ChangePlace, Heard, ProposedChange, hear

__all__ = ["ChangePlace", "Deed", "Heard", "ProposedChange", "Shown", "hear", "shown"]
