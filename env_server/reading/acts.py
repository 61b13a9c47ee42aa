"""The acts of a sentence or a message of an agent, and the results of reading one."""

from dataclasses import dataclass
from enum import StrEnum


class Act(StrEnum):
    """One act of an agent's message toward the user."""

    IDENTIFY = "identify"
    """Asks for something that identifies the user: name, email address, phone, user id, zip code, date of birth."""

    ASK = "ask"
    """Asks for a detail, a choice or a preference."""

    PROPOSE = "propose"
    """Describes a specific change that is about to be made and asks for consent."""

    CLAIM = "claim"
    """Says that a change the user wanted has been made, by the agent, now."""

    REFUSE = "refuse"
    """Says that something cannot be done or is not allowed."""

    TELL = "tell"
    """Tells values or facts that were looked up."""

    TRANSFER = "transfer"
    """Says that the user is transferred to a person, now."""

    INSTRUCT = "instruct"
    """Asks the user to do something themselves: on a device, in an app or elsewhere."""

    CLOSE = "close"
    """Asks whether there is anything else, or says goodbye."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence or list entry, and its acts."""

    text: str
    """Lower case, Markdown and typographic marks removed, spaces single; list entries keep no marker."""

    acts: frozenset[Act]
    """Its acts; PROPOSE if it describes a future change or asks for consent to one."""

    consent: bool
    """Whether it asks for a yes to a future action."""

    firm: bool
    """False if it is hedged: conditional, quoted, negated, or about the content of a record."""

    entry: bool
    """Whether it is an entry of a list."""

    quoted: bool = False
    """Whether it stands in a block of code or in a block quote."""

    points: bool = False
    """Whether it reports in words that could also be about what was looked up, given or agreed: `It's in.`"""


@dataclass(frozen=True, slots=True)
class Reading:
    """The acts of one message, as far as the rules and the second opinion can tell."""

    text: str
    """All sentences, joined by newlines."""

    sentences: tuple[Sentence, ...]

    acts: frozenset[Act]
    """The acts of the whole message; empty if there is none."""

    opposed: frozenset[Act]
    """The acts that the rules have found, and that the second opinion takes for none. They are not in `acts`."""

    supposed: frozenset[Act]
    """The acts that only the second opinion has found. They are not in `acts`."""

    consent: bool
    """Whether any sentence asks for a yes."""

    vague: bool
    """Whether it asks for a yes without describing a change."""

    waits: bool
    """Whether it asks for a moment's patience, or announces a look-up."""

    lost: bool
    """Whether it says that the user or their account was not found."""

    offers_transfer: bool
    """Whether it asks whether to transfer the user."""

    hands_over: bool
    """Whether it says that the agent transfers the user, now or as the next step."""

    quotes: bool
    """Whether it only quotes a question for a yes, and asks for none itself."""

    unread: bool
    """Whether no act was found although there are words, or the message is too long."""

    def doing(self, act: Act) -> list[Sentence]:
        """Return the sentences with one act."""
        return [sentence for sentence in self.sentences if act in sentence.acts]

    @property
    def doubted(self) -> frozenset[Act]:
        """The acts in doubt. The user asks back about them."""
        return self.opposed | self.supposed
