"""One draw of a task: its companies, its time, its names and words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from env_server.domains.research.library import Library
from env_server.domains.research.wording import PREFACES, short, spoken_day, spoken_quarter
from mcp_servers.world import calendar
from mcp_servers.world.calendar import SESSIONS

FIRST, LAST = "2024-01-08", "2026-06-26"
"""The first and the last session after which a task may take place."""


@dataclass
class Case:
    """A source of random choices for one task. Every choice comes from `rng`."""

    library: Library
    rng: Random
    split: str
    unnamed: dict[str, None] = field(default_factory=dict)
    """The companies that the request does not name by their ticker."""

    def moment(self, first: str = FIRST, last: str = LAST) -> datetime:
        """Return a time between two days at which no exchange is open: an evening, or the next morning."""
        open_days = [day for day in SESSIONS if first <= day <= last]
        return self.after_close(self.rng.choice(open_days))

    def after_close(self, day: str) -> datetime:
        """Return a time after the session of `day` and before the next one."""
        if self.rng.random() < 0.6:
            return calendar.closes(day) + timedelta(minutes=self.rng.randint(35, 200))
        following = calendar.session_after(day) or day
        if following == day:
            return calendar.closes(day) + timedelta(minutes=35)
        return calendar.opens(following) - timedelta(minutes=self.rng.randint(20, 180))

    def company(self) -> str:
        """Return a company of the split."""
        return self.rng.choice(self.library.tickers(self.split))

    def some(self, count: int) -> list[str]:
        """Return several companies of one circle of the split."""
        tickers = self.library.tickers(self.split)
        circle = self.library.companies[self.rng.choice(tickers)]["circle"]
        return self.rng.sample([t for t in tickers if self.library.companies[t]["circle"] == circle], count)

    def session(self, now: datetime, most: int = 450, least: int = 2) -> str:
        """Return a day of trading that ended before `now`, `least` to `most` sessions back."""
        last = SESSIONS.index(calendar.last_session(now) or SESSIONS[0])
        return SESSIONS[last - self.rng.randint(least, min(most, last - 1))]

    def span(self, now: datetime, shortest: int, longest: int, most: int = 400, least: int = 0) -> tuple[str, str]:
        """Return the first and the last session of a period that ended before `now`."""
        last = SESSIONS.index(calendar.last_session(now) or SESSIONS[0])
        length = min(self.rng.randint(shortest, longest), last - least - 1)
        end = last - self.rng.randint(least, max(min(most, last - length - 1), least))
        return SESSIONS[end - length], SESSIONS[end]

    def month(self, now: datetime, most: int = 18) -> tuple[str, str]:
        """Return the first and the last session of a whole month before `now`."""
        months = sorted({day[:7] for day in SESSIONS if day < (calendar.last_session(now) or "")})[1:-1]
        month = self.rng.choice(months[-most:])
        within = [day for day in SESSIONS if day[:7] == month]
        return within[0], within[-1]

    def name(self, ticker: str) -> str:
        """Return a company or pair as a request names it."""
        if ticker.startswith("X:"):
            coin = next(row["name"] for row in self.library.coins if row["ticker"] == ticker).split(" - ")[0]
            return self.rng.choice((coin, f"{coin} in dollars", f"{ticker[2:5]}/USD"))
        title = self.library.title(ticker)
        chosen = self.rng.choice((title, title, ticker, f"{title} ({ticker})", f"{ticker} ({title})"))
        if ticker not in chosen:
            self.unnamed[ticker] = None
        return chosen

    def title(self, ticker: str) -> str:
        """Return the full name of a company, which the request then gives in place of the ticker."""
        self.unnamed[ticker] = None
        return self.library.title(ticker)

    def also(self, ticker: str) -> tuple[str, ...]:
        """Return the other accepted names of a company."""
        title = self.library.title(ticker)
        return title, short(title), f"{title} ({ticker})", f"{ticker} ({title})"

    def day(self, day: str) -> str:
        """Return a date as a request writes it."""
        return spoken_day(self.rng, day)

    def quarter(self, year: int, quarter: int) -> str:
        """Return a fiscal quarter as a request writes it."""
        return spoken_quarter(self.rng, year, quarter)

    def say(self, wordings: Sequence[str], **places: object) -> str:
        """Return one of the wordings, filled in."""
        return self.rng.choice(wordings).format_map(_as_text(places))

    def preface(self) -> str:
        """Return the words with which the request begins."""
        return self.rng.choice(PREFACES[self.split])


def _as_text(places: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in places.items()}
