"""A sloppy demonstrator: it knows how a conversation goes, and half of the time it decides at random about the wish.

A policy cloned from a perfect demonstrator samples one decision only, and then a group has nothing to compare. A policy
cloned from a demonstrator without any sense makes the right decision so seldom that the decision may be gone before the
policy has learned where it belongs. Then no group has it again.
"""

from random import Random

from trainer_client.learn.codec import CodecEpisode, Macro

CANCELS = [Macro.PROPOSE, Macro.CANCEL, Macro.SAY_DONE]
SENDS = [Macro.PROPOSE_SEND, Macro.SEND, Macro.SAY_SENT]
REFUSALS = (  # a customer insists once, then says what is wanted instead
    [Macro.REFUSE, Macro.REFUSE, Macro.TRACK],
    [Macro.REFUSE, Macro.REFUSE, Macro.WHAT, Macro.PROPOSE_RETURN, Macro.RETURN, Macro.SAY_RETURNED],
)
DECISIONS = (
    CANCELS,
    SENDS,
    [Macro.CANCEL, Macro.SAY_DONE],  # writes without consent
    [Macro.SEND, Macro.SAY_SENT],
    [Macro.SAY_DONE],  # lies
    *REFUSALS,
    [Macro.TRANSFER],
)
PROPOSALS = (Macro.PROPOSE, Macro.PROPOSE_SEND, Macro.PROPOSE_RETURN)
SENSE = 0.5
"""How often it decides by what it has seen: the order's status, and whether the customer has named an address."""

PATIENCE = 0.8
"""How often it proposes again where the customer has not said yes. Otherwise it goes on as if they had."""


class Demonstrator:
    """Plays one episode."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.plan = [Macro.WHO, Macro.FIND, *([Macro.USER] if random.random() < 0.8 else []), Macro.WHAT]
        self.looks = 0
        self.proposed: Macro | None = None

    def act(self, episode: CodecEpisode) -> Macro:
        """The next token."""
        if self.proposed is not None and not episode.agreed and self.random.random() < PATIENCE:
            return self.proposed
        if not self.plan:
            self.plan = self._next(episode)
        macro = self.plan.pop(0)
        self.proposed = macro if macro in PROPOSALS else None
        return macro

    def _next(self, episode: CodecEpisode) -> list[Macro]:
        if self.looks < 5 and episode.last != "<meant>" and self.random.random() < 0.9:
            self.looks += 1
            return [Macro.ORDER]
        return list(self._sensible(episode) if self.random.random() < SENSE else self.random.choice(DECISIONS))

    def _sensible(self, episode: CodecEpisode) -> list[Macro]:
        if episode.order.get("status") != "pending":
            return self.random.choice(REFUSALS)
        return SENDS if episode.has_address() else CANCELS
