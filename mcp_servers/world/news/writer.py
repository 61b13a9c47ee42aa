"""Writes an article: selects sentences of its script and fills their placeholders."""

import re
from collections.abc import Mapping, Sequence

from mcp_servers.world.accounts.figures import Market
from mcp_servers.world.chance import Deck, Stream
from mcp_servers.world.companies import words
from mcp_servers.world.companies.names import slug
from mcp_servers.world.companies.roster import COINS
from mcp_servers.world.events.base import Fact
from mcp_servers.world.news import telling
from mcp_servers.world.news.scripts import SCRIPTS
from mcp_servers.world.news.scripts.others import BACKGROUND, COIN_BACKGROUND, DATELINES
from mcp_servers.world.press import PUBLISHERS, Publisher
from mcp_servers.world.rows import Article, Event
from mcp_servers.world.scene import Places, Scenes

SITES = {publisher.name: publisher for publisher in PUBLISHERS}
COIN_OF = {f"X:{coin.base}USD": coin for coin in COINS}
FACT = re.compile(r"{(\w+)}")
NAMES = {"name", "short", "coin", "ticker", "product"}
"""Placeholders that a text may use more than once."""

MOOD = 0.008
"""Minimum part of a day's return for a positive or negative tone of an article."""

REPRINTED = ("{title}", "{title} (reprint)", "Elsewhere: {title}", "{title}: what we know", "Reported: {title}")


class Writer:
    """A writer of articles that delays repeats of sentences."""

    def __init__(self, market: Market, scenes: Scenes) -> None:
        """Make a writer about `market`."""
        self._market, self._scenes = market, scenes
        self._deck = Deck(Stream(market.seed, "news", "deck"))
        self._ids = Stream(market.seed, "news", "ids")
        self._urls: set[str] = set()

    def write(
        self,
        stream: Stream,
        script: str,
        event: Event,
        facts: Mapping[str, Fact],
        publisher: str,
        at: str,
    ) -> Article:
        """Return an article that reports an event with these facts."""
        told = telling.places(event["ticker"], event["kind"], facts)
        tickers = [event["ticker"], event["other"]] if event["other"] else [event["ticker"]]
        row = self.compose(stream, script, tickers, told, publisher, at, mood=event["move"])
        row["about"], row["event"] = dict(facts), event["id"]
        return row

    def compose(
        self,
        stream: Stream,
        script: str,
        tickers: list[str],
        told: Places,
        publisher: str,
        at: str,
        *,
        mood: float = 0.0,
    ) -> Article:
        """Return an article of a script about the first of `tickers`.

        `told` holds the placeholder values of its facts.
        """
        coin = COIN_OF.get(tickers[0])
        scene = self._scenes.coin(coin, at) if coin else self._scenes.company(tickers[0], at, stream)
        places = {**scene, **told, "publisher": publisher, "date_short": words.short_day(at)}
        places["dateline"] = str(places.get("city", "NEW YORK")).upper()
        sentences, deal = SCRIPTS[script], self._deck.deal
        title = words.capital(deal(sentences.titles).format_map(places))
        body = self._several(sentences.body, places, stream.whole(2, 3))
        if sentences.quotes and stream.chance(0.75):
            body.insert(1, deal(sentences.quotes).format_map(places))
        background = self._several(COIN_BACKGROUND if coin else BACKGROUND, places, stream.whole(1, 2))
        lead = deal(DATELINES).format_map(places) + words.capital(deal(sentences.leads).format_map(places))
        text = f"{lead} {body[0]}\n\n{' '.join(body[1:])}\n\n{' '.join(background)}"
        return {
            "id": f"{int(self._ids.random() * 2**48):012x}",
            "at": at,
            "title": title,
            "text": text.strip(),
            "author": stream.pick(self._market.press.reporters[publisher]),
            "publisher": publisher,
            "url": self._url(SITES[publisher], title, at),
            "tickers": tickers,
            "sentiment": "positive" if mood > MOOD else "negative" if mood < -MOOD else "neutral",
            "about": {},
        }

    def copy(self, stream: Stream, row: Article, at: str) -> Article:
        """Return the same article, published later by another publisher."""
        style = SITES[row["publisher"]].style
        others = [
            publisher
            for publisher in PUBLISHERS
            if publisher.name != row["publisher"] and (publisher.style == "crypto") == (style == "crypto")
        ]
        publisher = stream.pick(others)
        title = self._deck.deal(REPRINTED).format(title=row["title"])
        return {
            **row,
            "id": f"{int(self._ids.random() * 2**48):012x}",
            "at": at,
            "title": title,
            "text": row["text"].replace(f"({row['publisher']}) - ", f"({publisher.name}) - "),
            "author": stream.pick(self._market.press.reporters[publisher.name]),
            "publisher": publisher.name,
            "url": self._url(publisher, title, at),
            "flaw": "duplicate",
            "copy_of": row["id"],
        }

    def _several(self, sentences: Sequence[str], places: Places, count: int) -> list[str]:
        """Return `count` sentences whose placeholders are all known. No two of them are about the same fact."""
        found: list[str] = []
        told: set[str] = set()
        for _ in range(2 * count + 6):
            if len(found) == count:
                break
            sentence = self._deck.deal(sentences)
            facts = FACT.findall(sentence)
            if told.isdisjoint(facts) and all(fact in places for fact in facts):
                found.append(words.capital(sentence.format_map(places)))
                told.update(facts or [sentence])
                told -= NAMES
        return found

    def _url(self, publisher: Publisher, title: str, at: str) -> str:
        short = "-".join(slug(title.replace("$", "")).split("-")[:9])
        url = base = f"https://{publisher.site}/{at[:4]}/{at[5:7]}/{short}"
        number = 1
        while url in self._urls:
            number += 1
            url = f"{base}-{number}"
        self._urls.add(url)
        return url
