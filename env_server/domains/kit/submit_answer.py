"""The tool `submit_answer`, which takes the place of `done` in tasks that ask for an answer."""

import re
from functools import lru_cache
from typing import Any, Final

from typing_extensions import TypedDict

from env_server.domains.kit.task import Answer
from env_server.domains.kit.tools import Tool, ToolError, tool
from env_server.providers.spec import WRITE
from env_server.state import Db, Table

NAME: Final = "submit_answer"
_LINE = re.compile(r"^\W*answer\W*:\s*(?P<answer>\S.*?)\W*$", re.IGNORECASE)
_UNKNOWN = re.compile(r"^(?:unknown|cannot be known|not known)\b[\s:,.;-]*(?P<missing>.*)$", re.IGNORECASE)
_NUMBER = re.compile(r"[-+\u2212]?(?:\d{1,3}(?:[,\u202f ]\d{3})+|\d+)?(?:\.\d+)?")
LONGEST: Final = 2_000
"""Maximum characters of a submitted text."""


class SubmittedAnswer(TypedDict):
    """The answer that the agent submitted."""

    id: str
    """Always `answer`."""

    answer: Any
    """A number, a text or a list of texts; null if the agent says that it cannot be known."""

    missing: str | None
    """The fact that is missing for an answer, in the agent's words."""


ANSWERS: Final = Table("answers", SubmittedAnswer, key="id")
"""The submitted answer. A domain whose tasks ask for answers declares this table."""

_ABOUT = """Submit the answer to the task. It ends the episode, so submit only what look-ups have shown.

    Args:
        answer: {answer} Leave it out if the answer cannot be known.
        missing: The fact that cannot be found, named exactly, if the answer cannot be known; left out otherwise.
    """

_WHAT: Final = {
    "number": "The number alone{unit}, without a unit.",
    "text": "The name, ticker or short text alone.",
    "list": "The entries in the order that the task asks for.",
    "date": "The date as YYYY-MM-DD.",
}
_TYPES: Final[dict[str, Any]] = {"number": float, "text": str, "list": list[str], "date": str}


@lru_cache(maxsize=256)
def answer_tool(kind: str, unit: str) -> Tool:
    """Return the tool for answers of a kind, in a unit. Its schema shows nothing else of the right answer."""

    def submit_answer(db: Db[Any], answer: Any = None, missing: str | None = None) -> str:
        if (answer is None) == (not missing):
            raise ToolError("give either `answer`, or `missing` with the fact that cannot be found")
        row: SubmittedAnswer = {"id": "answer", "answer": answer, "missing": missing}
        db[ANSWERS].put(row)
        return "Submitted"

    submit_answer.__doc__ = _ABOUT.format(answer=_WHAT[kind].format(unit=f" in {unit}" if unit else ""))
    submit_answer.__annotations__ = {"db": Db[Any], "answer": _TYPES[kind] | None, "missing": str | None, "return": str}
    return tool(kind=WRITE, finishes=True)(submit_answer)


def right_answer(answer: Answer) -> dict[str, Any]:
    """Return the arguments of `submit_answer` that are right."""
    if answer.value is None:
        return {"missing": answer.missing[0] if answer.missing else "what the task asks for"}
    return {"answer": list(answer.value) if isinstance(answer.value, tuple) else answer.value}


def answer_line(content: str, answer: Answer) -> dict[str, Any] | None:
    """Return the arguments of `submit_answer` for a message whose last line is `Answer: ...`; None for another text.

    A number may have a unit or a currency around it. A line with several numbers gives the text as it is, which the
    tool refuses.
    """
    lines = content.strip().splitlines()
    found = _LINE.match(lines[-1].strip().strip("*_`")) if lines else None
    if found is None:
        return None
    given = found["answer"].strip("*_` ")
    unknown = _UNKNOWN.match(given)
    if unknown:
        return {"missing": unknown["missing"] or given}
    if answer.kind == "number":
        return {"answer": _number(given)}
    if answer.kind == "list":
        return {"answer": [part.strip(" *_`\"'[]") for part in re.split(r"[,;>]|\s->\s", given) if part.strip(" []")]}
    return {"answer": given}


def _number(text: str) -> float | str:
    numbers = [found[0] for found in _NUMBER.finditer(text) if any(c.isdigit() for c in found[0])]
    if len(numbers) != 1:
        return text
    return float(re.sub(r"[,\u202f ]", "", numbers[0]).replace("\u2212", "-"))
