"""The authors of texts about companies: publishers with reporters, and research houses with analysts."""

from dataclasses import dataclass
from typing import NamedTuple

from mcp_servers.world.chance import Stream
from mcp_servers.world.companies.names import CITIES, SCHOOLS, Names, slug
from mcp_servers.world.rows import Person


class Publisher(NamedTuple):
    """A publisher of news."""

    name: str
    site: str
    style: str
    """The kind of publisher: `wire`, `paper`, `trade` or `crypto`."""


PUBLISHERS = (
    Publisher("Harbor Ledger", "harborledger.example", "paper"),
    Publisher("Marketmoor Wire", "marketmoor.example", "wire"),
    Publisher("The Aldgate Dispatch", "aldgatedispatch.example", "paper"),
    Publisher("Tapeline News", "tapeline.example", "wire"),
    Publisher("Brasswick Business Daily", "brasswickdaily.example", "paper"),
    Publisher("Northlight Financial", "northlightfinancial.example", "paper"),
    Publisher("Openbell Brief", "openbellbrief.example", "wire"),
    Publisher("Sector & Signal", "sectorandsignal.example", "trade"),
    Publisher("The Quarterly Eye", "quarterlyeye.example", "trade"),
    Publisher("Coinward", "coinward.example", "crypto"),
    Publisher("Blockquay Journal", "blockquay.example", "crypto"),
)
HOUSES = (
    "Fenwright & Cole", "Larkspur Securities", "Ostrander Research", "Pell Street Partners", "Quillon Capital Markets",
    "Ridgeway Harte", "Sable Point Research", "Tolland Brothers",
)  # fmt: skip
REPORTERS, ANALYSTS = 3, 4
"""Number of reporters of each publisher, and number of analysts of each circle."""


@dataclass(frozen=True)
class Press:
    """All reporters and analysts."""

    reporters: dict[str, tuple[str, ...]]
    """The names of each publisher's reporters."""
    analysts: dict[int, tuple[tuple[str, str], ...]]
    """Group of companies -> the analysts who follow it, each with name and firm."""
    people: tuple[Person, ...]


def press(seed: int, names: Names, circles: int) -> Press:
    """Return the press of the world of `seed`."""
    stream = Stream(seed, "press")
    found, reporters, analysts = list[Person](), {}, {}
    for publisher in PUBLISHERS:
        mine = [names.deal() for _ in range(REPORTERS)]
        reporters[publisher.name] = tuple(mine)
        found += [_person(stream, name, "reporter", publisher.name) for name in mine]
    for circle in range(1, circles + 1):
        several = tuple((names.deal(), house) for house in stream.some(HOUSES, ANALYSTS))
        analysts[circle] = several
        found += [_person(stream, name, "analyst", house) for name, house in several]
    return Press(reporters, analysts, tuple(found))


def _person(stream: Stream, name: str, role: str, employer: str) -> Person:
    return {
        "id": f"{slug(employer)}:{slug(name)}",
        "name": name,
        "role": role,
        "ticker": "",
        "employer": employer,
        "since": "",
        "until": "",
        "born": stream.whole(1960, 1994),
        "birthplace": stream.pick(CITIES)[0],
        "school": stream.pick(SCHOOLS),
    }
