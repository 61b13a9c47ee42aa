"""The part of a state that counts: where messages were posted, and whether the right answer stands in them."""

import re
from typing import Any, Final

from env_server.domains.kit import ANSWERS, SERVER_CALLS, Answer, Db, Task, Words
from env_server.domains.research.tables import MESSAGES

_SCALES: Final = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9, "b": 1e9}
_FIGURE: Final = re.compile(
    r"(?<![\w.,])[-+\u2212]?\$?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:\s?(?P<scale>"
    rf"{'|'.join(_SCALES)})\b)?",
    re.IGNORECASE,
)
MOST_FIGURES: Final = 12
"""The maximum number of figures in a message. A message with more figures tells none, since it may list guesses."""

ROUNDING: Final = 0.005
"""The relative error that a figure of a message may have."""


def projection(db: Db[Any], task: Task) -> Any:
    """Return the posts of an episode in order, and every other row that changed, as JSON.

    A post counts by its channel, its thread, and whether it tells the right answer; never by its wording.
    """
    posts, others = [], []
    for name, table in db.state.overlay.changes.items():
        given = task.initial.get(name, {})
        for key, row in table.rows.items():
            if name in (ANSWERS.name, SERVER_CALLS.name) or given.get(key, {}) == row:
                continue
            if name == MESSAGES.name and row is not None and key not in db.state.overlay.base.tables[name].rows:
                posts.append(
                    {
                        "channel": row["channel"],
                        "thread": row.get("thread_ts"),
                        "tells": task.answer is not None and tells(row["text"], task.answer),
                    }
                )
            else:
                others.append([name, key])
    return {"posts": sorted(posts, key=str), "others": sorted(others)}


def tells(message: str, answer: Answer) -> bool:
    """Return whether a message states the answer: a number in any scale, a text or date in any form."""
    if answer.value is None:
        return True
    if isinstance(answer.value, float):
        found = figures(message)
        near = [figure for figure in found if abs(figure - abs(answer.value)) <= ROUNDING * abs(answer.value)]
        return bool(near) and len(found) <= MOST_FIGURES
    words = Words(message)
    if isinstance(answer.value, tuple):
        places = [message.upper().find(ticker) for ticker in answer.value]
        return min(places) >= 0 and places == sorted(places)
    return words.names((answer.value, *answer.also))


def figures(message: str) -> set[float]:
    """Return the magnitudes of the numbers in a message, with words of scale applied: 1.2 million is 1200000."""
    plain = re.sub(r"[*_`~]", "", message)
    return {
        float(found["digits"].replace(",", "")) * _SCALES.get((found["scale"] or "").lower(), 1.0)
        for found in _FIGURE.finditer(plain)
    }
