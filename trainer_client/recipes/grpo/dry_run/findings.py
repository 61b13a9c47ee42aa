"""The results of checks: each is ok, has a note, has failed, or could not be made."""

import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from trainer_client.recipes.grpo.settings import BadSettings

OK, NOTED, FAILED, UNCHECKED = "ok", "note", "failed", "not checked"

S = TypeVar("S")


class Noted(Exception):
    """The job can run like this, but perhaps that is not what was meant; the message says why."""


class Unchecked(Exception):
    """A check cannot be made here; the message says why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    verdict: str
    detail: str


def findings(checks: Mapping[str, Callable[[S], str]], subject: S) -> Iterator[Finding]:
    """Make every check of `subject`, also after a failed one; a check returns a description, or raises."""
    for name, check in checks.items():
        try:
            yield Finding(name, OK, check(subject))
        except Noted as what:
            yield Finding(name, NOTED, str(what))
        except Unchecked as why:
            yield Finding(name, UNCHECKED, str(why))
        except BadSettings as wrong:
            yield Finding(name, FAILED, str(wrong))
        except Exception as error:
            yield Finding(name, FAILED, told(error))


def told(error: Exception) -> str:
    """An error in one line. An error without a message, such as a bare `assert`, is described by the line of code."""
    if said := " ".join(str(error).split()):
        return f"{type(error).__name__}: {said}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {last.line} ({Path(last.filename).name}, line {last.lineno})"
