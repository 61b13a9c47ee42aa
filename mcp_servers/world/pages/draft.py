"""A draft of a page."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import timedelta

from mcp_servers.world.calendar import parse, stamp
from mcp_servers.world.chance import Deck, Stream
from mcp_servers.world.companies.names import slug
from mcp_servers.world.companies.words import capital
from mcp_servers.world.rows import PageFact

BEFORE = "2023-06-30T12:00:00Z"
"""Pages that exist from the first day of the world are older than this."""


@dataclass
class Draft:
    """A draft: its text in paragraphs, its facts and its desired links."""

    url: str
    title: str
    published: str
    tickers: list[str]
    paragraphs: list[str] = field(default_factory=list)
    facts: list[PageFact] = field(default_factory=list)
    wishes: list[tuple[str, str]] = field(default_factory=list)
    """Labels and addresses of desired links. Links to later pages are dropped."""
    planted: bool = False

    @property
    def site(self) -> str:
        """Return the host."""
        return self.url.split("/")[2]

    def say(self, *paragraphs: str) -> None:
        """Add paragraphs."""
        self.paragraphs.extend(paragraphs)

    def know(self, subject: str, attribute: str, value: str | int | float, unit: str = "", text: str = "") -> str:
        """Record a fact, and return the value in the format that the page must use."""
        number = f"{value:,}" if isinstance(value, int) else str(value)
        shown = text or (f"{number} {unit}" if unit else number)
        self.facts.append(
            {"subject": subject, "attribute": attribute, "value": value, "unit": unit, "text": shown},
        )
        return shown


class Pen:
    """A writer of sentences that delays repeats of the alternatives."""

    def __init__(self, *subject: str | int) -> None:
        """Make a writer that chooses by the stream of `subject`."""
        self._deck = Deck(Stream(*subject))

    def write(self, sentences: Sequence[str], **places: object) -> str:
        """Return one of the sentences with its placeholders filled."""
        return capital(self._deck.deal(sentences).format(**places))


def address(site: str, *parts: str) -> str:
    """Return an address on a site."""
    return f"https://{site}/" + "/".join(slug(part) for part in parts)


def old(stream: Stream) -> str:
    """Return a time in the years before the world begins."""
    return stamp(parse(BEFORE) - timedelta(minutes=stream.whole(1, 900_000)))


def later(at: str, stream: Stream, low: int, high: int) -> str:
    """Return a time from `low` to `high` days after `at`."""
    return stamp(parse(at) + timedelta(minutes=stream.whole(low * 1440, high * 1440)))
