"""Generates conversations: about events, questions with and without answers, pages, and small talk."""

from collections.abc import Sequence
from datetime import date, timedelta

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.calendar import SESSIONS, closes, early_closes, holidays, opens, parse
from mcp_servers.world.chance import Stream
from mcp_servers.world.companies import words
from mcp_servers.world.news import flaws, telling
from mcp_servers.world.rows import Article, Event, Message, Page, Statement
from mcp_servers.world.scene import Places, Scenes
from mcp_servers.world.workspace import lines
from mcp_servers.world.workspace.hall import Hall

ROOM_OF = {
    "earnings": "earnings-watch", "guidance": "earnings-watch", "contract": "deals-and-courts",
    "acquisition": "deals-and-courts", "bid": "deals-and-courts", "lawsuit": "deals-and-courts",
    "works": "supply-chain", "recall": "supply-chain", "strike": "supply-chain", "stoppage": "supply-chain",
    "outage": "supply-chain", "upgrade": "crypto-watch", "listing": "crypto-watch", "rule": "crypto-watch",
    "chief": "general", "split": "research-desk", "trial": "research-desk", "rating": "research-desk",
    "buyback": "research-desk", "product": "research-desk",
}  # fmt: skip
SHARE = {"earnings": 0.2, "guidance": 0.05, "rating": 0.07, "product": 0.25, "works": 0.4, "contract": 0.5}
"""The probability that members talk about an event, by kind."""

USUAL_SHARE = 0.42
OPEN_FROM = "2026-04"
"""Most questions from this month on are still open at the end."""


class Talk:
    """A generator of conversations about a market."""

    def __init__(self, market: Market, articles: Sequence[Article], pages: Sequence[Page], hall: Hall) -> None:
        """Make a generator that posts in `hall`."""
        self.market, self.hall = market, hall
        self.scenes = Scenes(market)
        self._about: dict[str, list[Page]] = {}
        for page in pages:
            if len(page["tickers"]) == 1 and page["facts"]:
                self._about.setdefault(page["tickers"][0], []).append(page)
        self.reports: dict[str, list[Article]] = {}
        for article in articles:
            if "event" in article and "flaw" not in article:
                self.reports.setdefault(article["event"], []).append(article)

    def event(self, event: Event) -> None:
        """Post a thread about an event with some probability."""
        stream = Stream(self.market.seed, "talk", event["id"])
        coin = event["ticker"].startswith("X:")
        room = "crypto-watch" if coin else ROOM_OF.get(event["kind"])
        if room is None or not stream.chance(SHARE.get(event["kind"], USUAL_SHARE)):
            return
        tickers = [event["ticker"], event["other"]] if event["other"] else [event["ticker"]]
        places = self._places(stream, event)
        starter = self._starter(stream, event, places, room, tickers)
        if starter is None:
            return
        self._discuss(stream, starter, event, places, room)

    def _places(self, stream: Stream, event: Event) -> Places:
        told = telling.places(event["ticker"], event["kind"], event["facts"])
        if event["ticker"].startswith("X:"):
            return {"ticker": event["ticker"], "name": str(event["facts"]["coin"]), **told}
        return {**self.scenes.company(event["ticker"], event["at"], stream), **told}

    def _starter(self, stream: Stream, event: Event, places: Places, room: str, tickers: list[str]) -> Message | None:
        people, at = self.hall.people(room), parse(event["at"])
        reports = self.reports.get(event["id"], [])
        if event["kind"] == "earnings" and stream.chance(0.6):
            text = self.hall.pen.write(lines.RESULTS, **places)
        elif reports:
            report = stream.pick(reports)
            at = parse(report["at"])
            shared = {name: report[name] for name in ("title", "url", "publisher")}
            text = self.hall.pen.write(lines.SHARED, **shared, ticker=places["ticker"], name=places["name"])
        else:
            return None
        at += timedelta(minutes=stream.whole(1, 95), seconds=stream.whole(0, 59))
        return self.hall.post(room, stream.pick(people), at, text, tickers=tickers, about=event["id"])

    def _discuss(self, stream: Stream, starter: Message, event: Event, places: Places, room: str) -> None:
        people = [user for user in self.hall.people(room) if user != starter["user"]]
        remarks = lines.REMARKS + (lines.EARNED if event["kind"] == "earnings" else ())
        if event["kind"] != "lawsuit" and stream.chance(0.16):
            self._mistake(stream, starter, event, room, people)
        for sentence in self._known(stream, remarks, places, stream.pick((0, 1, 1, 2, 2, 3, 4))):
            self.hall.reply(starter, room, stream.pick(people), stream.whole(1, 90), sentence, about=event["id"])

    def _known(self, stream: Stream, sentences: Sequence[str], places: Places, count: int) -> list[str]:
        """Return `count` different sentences whose placeholders are all known."""
        found: list[str] = []
        for sentence in stream.shuffled(sentences):
            if len(found) == count:
                break
            try:
                found.append(words.capital(sentence.format_map(places)))
            except KeyError:  # The placeholder is unknown for this subject.
                continue
        return found

    def _mistake(self, stream: Stream, starter: Message, event: Event, room: str, people: list[str]) -> None:
        """Post a wrong figure by one member, and its correction by another."""
        wrong = flaws.mistaken(stream, event)
        if wrong is None:
            return
        true = telling.places(event["ticker"], event["kind"], event["facts"])
        told = telling.places(event["ticker"], event["kind"], wrong)
        name = next((name for name in flaws.NAMED if name in told and told[name] != true[name]), None)
        if name is None:
            return
        what, (asker, knower) = flaws.NAMED[name], stream.some(people, 2)
        text = self.hall.pen.write(lines.MISHEARD, wrong=told[name], what=what, what_capital=words.capital(what))
        self.hall.reply(starter, room, asker, stream.whole(2, 50), text, about=event["id"], wrong=True)
        text = self.hall.pen.write(lines.CORRECTED, right=true[name], what=what, user=asker)
        self.hall.reply(starter, room, knower, stream.whole(1, 30), text, about=event["id"])
        if stream.chance(0.7):
            self.hall.reply(starter, room, asker, stream.whole(1, 30), self.hall.pen.write(lines.SORRY))

    def question(self, number: int) -> None:
        """Post a question about a company, and in most cases its answer."""
        stream = Stream(self.market.seed, "question", number)
        firm = stream.pick(self.market.firms)
        room = "data-requests" if stream.chance(0.6) else "research-desk"
        day = SESSIONS[stream.whole(8, len(SESSIONS) - 2)]
        ask = stream.pick((self._ask_line, self._ask_close, self._ask_page, self._ask_page))
        people = self.hall.people(room)
        asker, other = stream.some(people, 2)
        text, answer, about = ask(stream, firm.ticker, day, other)
        if not text:
            return
        at = opens(day) + timedelta(minutes=stream.whole(1, 420), seconds=stream.whole(0, 59))
        thread = self.hall.post(room, asker, at, text, tickers=[firm.ticker], about=about)
        if thread is None:
            return
        if stream.chance(0.75 if day >= OPEN_FROM else 0.1):
            if stream.chance(0.5):
                self.hall.reply(thread, room, asker, stream.whole(300, 2000), self.hall.pen.write(lines.NUDGES))
            return
        self.hall.reply(thread, room, other, stream.whole(2, 180), answer, about=about)
        if stream.chance(0.6):
            self.hall.reply(thread, room, asker, stream.whole(1, 60), self.hall.pen.write(lines.THANKS, user=other))

    def _ask_line(self, stream: Stream, ticker: str, day: str, user: str) -> tuple[str, str, str]:
        row: Statement | None = self.scenes.last_statement(ticker, f"{day}T00:00:00Z")
        if row is None:
            return "", "", ""
        part, known = stream.pick((("income", lines.LINES), ("balance", lines.SHEET)))
        field = stream.pick(tuple(known))
        value = row["income"][field] if part == "income" else row["balance"][field]
        text = self.hall.pen.write(
            lines.ASK_LINE,
            line=known[field],
            name=self.scenes.firms[ticker].name,
            ticker=ticker,
            quarter=words.quarter(row["quarter"]),
            year=row["year"],
            user=user,
        )
        return text, self.hall.pen.write(lines.ANSWERS, answer=words.money(value)), row["id"]

    def _ask_close(self, stream: Stream, ticker: str, day: str, _: str) -> tuple[str, str, str]:
        number = SESSIONS.index(day) - stream.whole(1, min(SESSIONS.index(day), 250))
        bar = self.market.bars[ticker][number]
        name = self.scenes.firms[ticker].name
        text = self.hall.pen.write(lines.ASK_CLOSE, ticker=ticker, name=name, day=words.day(bar["date"]))
        return text, self.hall.pen.write(lines.CLOSES, answer=words.price(bar["close"])), f"{ticker}:{bar['date']}"

    def _ask_page(self, stream: Stream, ticker: str, day: str, user: str) -> tuple[str, str, str]:
        known = [page for page in self._about[ticker] if page["published"] < day]
        page = stream.pick(known)
        fact = stream.pick(page["facts"])
        text = self.hall.pen.write(lines.ASK_PAGE, attribute=fact["attribute"], subject=fact["subject"], user=user)
        answer = self.hall.pen.write(lines.FOUND, answer=fact["text"], url=page["url"], title=page["title"])
        return text, answer, page["url"]

    def clipping(self, page: Page) -> None:
        """Post a link to a page."""
        stream, room = Stream(self.market.seed, "clipping", page["url"]), "web-clippings"
        if len(page["tickers"]) != 1 or not page["facts"] or page["tickers"][0].startswith("X:"):
            return
        day = max(page["published"][:10], SESSIONS[stream.whole(5, len(SESSIONS) - 60)])
        session = next((each for each in SESSIONS if each > day), None)
        if session is None:
            return
        ticker, fact = page["tickers"][0], stream.pick(page["facts"])
        asker, *others = stream.some(self.hall.people(room), 4)
        text = self.hall.pen.write(
            lines.CLIPPED,
            url=page["url"],
            title=page["title"],
            subject=fact["subject"],
            name=self.scenes.firms[ticker].name,
            ticker=ticker,
        )
        at = opens(session) + timedelta(minutes=stream.whole(1, 500))
        thread = self.hall.post(room, asker, at, text, tickers=[ticker], about=page["url"])
        if thread is None or stream.chance(0.3):
            return
        places = {"attribute": fact["attribute"], "subject": fact["subject"], "value": fact["text"]}
        text = self.hall.pen.write(lines.QUOTED, **places)
        self.hall.reply(thread, room, others[0], stream.whole(2, 200), text, about=page["url"])
        if stream.chance(0.4):
            self.hall.reply(thread, room, others[1], stream.whole(2, 90), self.hall.pen.write(lines.BANTER))

    def small_talk(self, number: int) -> None:
        """Post a message that is not about work."""
        stream = Stream(self.market.seed, "chatter", number)
        room = "random" if stream.chance(0.8) else "general"
        day = SESSIONS[stream.whole(1, len(SESSIONS) - 2)]
        asker, *others = stream.some(self.hall.people(room), 4)
        at = opens(day) + timedelta(minutes=stream.whole(1, 460), seconds=stream.whole(0, 59))
        thread = self.hall.post(room, asker, at, self.hall.pen.write(lines.CHATTER))
        for user in others[: stream.pick((0, 0, 1, 2))]:
            if thread is not None:
                self.hall.reply(thread, room, user, stream.whole(1, 120), self.hall.pen.write(lines.BANTER))

    def filings(self) -> None:
        """Post notices of a bot about some of the filed reports."""
        stream, room, bot = Stream(self.market.seed, "filings bot"), "earnings-watch", self.hall.bot("filings-bot")
        for ticker, rows in self.market.statements.items():
            for row in rows:
                if row["filed"] > SESSIONS[0] and stream.chance(0.12):
                    quarter = f"{words.quarter(row['quarter'])} of fiscal {row['year']}"
                    text = self.hall.pen.write(lines.FILED, ticker=ticker, quarter=quarter)
                    self.hall.post(room, bot, parse(row["accepted"]), text, tickers=[ticker], about=row["id"])

    def notices(self) -> None:
        """Post notices of the office and of the calendar: holidays and early closes."""
        stream, room, bot = Stream(self.market.seed, "notices"), "announcements", self.hall.bot("calendar-bot")
        office = self.hall.people(room)[-1]
        for number in range(6, len(SESSIONS) - 4, 17):
            at = opens(SESSIONS[number]) + timedelta(minutes=stream.whole(1, 200))
            self.hall.post(room, office, at, self.hall.pen.write(lines.NOTICES))
        for number, day in enumerate(SESSIONS):
            coming = SESSIONS[min(number + 1, len(SESSIONS) - 1)]
            today, after = date.fromisoformat(day), date.fromisoformat(coming)
            for missing in range(1, (after - today).days):
                holiday = holidays(today.year) | holidays(after.year)
                if (off := today + timedelta(missing)) in holiday:
                    text = self.hall.pen.write(lines.HOLIDAYS, day=words.day(off.isoformat()), holiday=holiday[off])
                    self.hall.post(room, bot, closes(day), text)
            if after in early_closes(after.year) and after > today:
                text = self.hall.pen.write(lines.EARLY, day=words.day(coming))
                self.hall.post(room, bot, closes(day) + timedelta(minutes=5), text)
