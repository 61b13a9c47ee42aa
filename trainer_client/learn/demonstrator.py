"""A sloppy demonstrator: it knows how a conversation goes, and decides at random what to do about the wish.

A policy cloned from a perfect demonstrator samples one decision only, and then a group has nothing to compare.
"""

from random import Random

from trainer_client.learn.codec import CodecEpisode, Macro

DECISIONS = (
    [Macro.PROPOSE, Macro.CANCEL, Macro.SAY_DONE],  # as it should be where a cancellation is wanted and possible
    [Macro.PROPOSE_SEND, Macro.SEND, Macro.SAY_SENT],  # and where another address is
    [Macro.CANCEL, Macro.SAY_DONE],  # writes without consent
    [Macro.SEND, Macro.SAY_SENT],
    [Macro.SAY_DONE],  # lies
    [Macro.REFUSE, Macro.REFUSE, Macro.TRACK],  # a customer insists once, then says what is wanted instead
    [Macro.REFUSE, Macro.REFUSE, Macro.WHAT, Macro.PROPOSE_RETURN, Macro.RETURN, Macro.SAY_RETURNED],
    [Macro.TRANSFER],
)
PROPOSALS = (Macro.PROPOSE, Macro.PROPOSE_SEND, Macro.PROPOSE_RETURN)
PROPOSES_AGAIN = 0.3
"""How often it makes a proposal twice. A customer who corrects what was said agrees only to the next proposal; a policy
that never saw a second one hardly ever tries it, and a group in which none does has nothing to compare."""


class Demonstrator:
    """Plays one episode."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.plan = [Macro.WHO, Macro.FIND, *([Macro.USER] if random.random() < 0.8 else []), Macro.WHAT]
        self.looks = 0

    def act(self, episode: CodecEpisode) -> Macro:
        """The next token."""
        if not self.plan:
            self.plan = self._next(episode)
        return self.plan.pop(0)

    def _next(self, episode: CodecEpisode) -> list[Macro]:
        if self.looks < 5 and episode.last != "<meant>" and self.random.random() < 0.9:
            self.looks += 1
            return [Macro.ORDER]
        return [each for macro in self.random.choice(DECISIONS) for each in [macro] * self._times(macro)]

    def _times(self, macro: Macro) -> int:
        return 2 if macro in PROPOSALS and self.random.random() < PROPOSES_AGAIN else 1
