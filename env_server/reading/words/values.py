"""Recognition of values in words: numbers, amounts, dates, times, codes and names, in any usual notation."""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property, lru_cache

from env_server.reading.words.dates import Day, as_day, days_in

Form = str | tuple[str, ...]
"""One notation of a value: a text, or several texts that all have to occur."""

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_WORD_NUMBERS = {word: n for n, word in enumerate(_ONES)} | {word: 10 * n for n, word in enumerate(_TENS, 2)}
_NUMBER_WORDS = "|".join(sorted(_WORD_NUMBERS, key=len, reverse=True))
_BELOW_HUNDRED = rf"(?:{_NUMBER_WORDS})(?:[- ](?:{'|'.join(_ONES[1:10])}))?"
_BELOW_THOUSAND = rf"{_BELOW_HUNDRED}(?: hundred(?:(?: and)? {_BELOW_HUNDRED})?)?"
_SPELLED = re.compile(rf"\b{_BELOW_THOUSAND}(?: thousand(?:,?(?: and)? {_BELOW_THOUSAND})?)?\b")
_NO_COUNT = re.compile(
    r"(?:\b(?:this|that|the|which|any|no|another|each|every|only|last|new|other|right|wrong) one\b)"
    r"|\bone (?:of|moment|second|minute|more|thing|last|another)\b"
)
"""Uses of `one` as a pronoun or an article."""

_PLAIN = r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,4}|[0-9]++)(?:\.[0-9]++)?+"
_UNIT = r"(?:usd|gb|mb|kb|mbps|min|mins|minutes|hrs?|h|kg|kgs|lb|lbs|mg|mcg|ml|g|miles|mi|km|x|k|%|\u20ac|\u00a3|\$)?"
# Signs are excluded, since magnitudes are compared. Two numbers joined by a hyphen or an en dash are the ends of a
# range.
_FOUND = re.compile(
    rf"(?<![\w.])(?:usd|us\$|\$|\u20ac|\u00a3|~)?({_PLAIN})((?:[-\u2010\u2011\u2013](?:us)?\$?{_PLAIN})*)"
    rf"{_UNIT}(?!\w|\.[0-9])",
    re.IGNORECASE,
)
_SUM = re.compile(
    rf"(?<![\w.])(?:(?P<whole>{_PLAIN}|{_SPELLED.pattern}) ?(?:dollars?|bucks|usd|euros?)(?:,? and|,)? )?"
    rf"(?P<cents>[0-9]{{1,2}}|{_BELOW_HUNDRED}) ?cents?\b"
    rf"|(?P<spelled>{_SPELLED.pattern}) (?:dollars?|bucks)\b",
    re.IGNORECASE,
)
"""An amount as it is spoken: `40 dollars and 55 cents`, `three hundred and sixty dollars`."""

_MARKER = re.compile(r"^[ \t>*_#-]*[0-9]{1,3}[.)][*_]*(?=[ \t]+\S)", re.MULTILINE)
_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+)?", re.ASCII)
_TIME = re.compile(
    r"(?<![\w:.])(?:(?P<h>[01]?[0-9]|2[0-3]):(?P<m>[0-5][0-9])(?::[0-5][0-9])?|(?P<h2>1[0-2]|0?[1-9])(?= ?[ap]\.?m\b))"
    r"(?: ?(?P<half>[ap])\.?m\b\.?)?(?![\w:])",
    re.IGNORECASE,
)
_OTHER_NOONS = {"noon": (12, 0), "midnight": (0, 0), "midday": (12, 0)}
_CLOCK = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])(?::[0-5][0-9])?")
_MARKS = re.compile(r"[*_`~|>\\]+")
_BREAKS = re.compile(r"[^a-z0-9\u00c0-\u024f%]+")
_SPACES = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "%")}
_SPACES |= dict.fromkeys(map(ord, "*_`~|>\\"), "")
"""`_MARKS` and `_BREAKS` of a text in ASCII."""

_APOSTROPHE = re.compile(r"['\u2019](?<=\w.)(?=\w)")
"""An apostrophe inside a word. The pattern begins with it, for a fast search."""

_ENDINGS = ("s ", "es ", "d ", "ed ", "ing ")
_LONG_DIGITS = 7
"""The minimum number of digits of a number that is compared digit by digit, however it is grouped:
telephone numbers.
"""


@dataclass(frozen=True)
class Words:
    """A text to search for values; each kind of value is extracted once, at first use."""

    text: str

    @cached_property
    def flat(self) -> str:
        """The words in lower case with single spaces around each, without other marks."""
        return _flat(self.text)

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        """The magnitudes of all numbers, in digits or in words, without list markers and ends of ranges."""
        plain = _MARKER.sub("", _MARKS.sub("", self.text))
        found = {_decimal(match[1]) for match in _FOUND.finditer(plain) if not match[2]}
        spelled = _NO_COUNT.sub(" ", plain.lower())
        return frozenset({n for n in found if n is not None} | {_spelled(m[0]) for m in _SPELLED.finditer(spelled)})

    @cached_property
    def days(self) -> tuple[Day, ...]:
        """The days, in order."""
        return tuple(days_in(_MARKS.sub("", self.text)))

    @cached_property
    def times(self) -> frozenset[tuple[int, int]]:
        """The times of day as (hour, minute)."""
        lower = self.text.lower()
        found = {_hour(match) for match in _TIME.finditer(lower)}
        return frozenset(found | {clock for word, clock in _OTHER_NOONS.items() if word in lower})

    @cached_property
    def digits(self) -> str:
        """All digits, with a space in place of letters between them."""
        return re.sub(
            r"[^0-9 ]", "", re.sub(r"[A-Za-z]+", " ", re.sub(r"(?<=[0-9)])[-. /()]+(?=[(0-9])", "", self.text))
        )

    def name(self, form: Form) -> bool:
        """Return whether `form` occurs in the text."""
        if isinstance(form, tuple):
            return all(self.name(part) for part in form)
        kind, value = _kind(form)
        if kind == "number":
            return value in self.numbers
        if isinstance(value, Day):
            return any(value.meets(day) for day in self.days)
        if kind == "time":
            return value in self.times
        if kind == "digits":
            return str(value) in self.digits.replace(" ", "") or _flat(form) in self.flat
        return bool(value) and self._word(value)

    @staticmethod
    def kind(form: str) -> str:
        """Return the kind of `form`: "number", "day", "time", "digits" or "words"."""
        return _kind(form)[0]

    def names(self, forms: tuple[Form, ...]) -> bool:
        """Return whether any of `forms` occurs in the text."""
        return any(self.name(form) for form in forms)

    def _word(self, value: object) -> bool:
        """Return whether the flat words of `value` occur in the text; the last may be inflected (`need`, `needed`)."""
        start = self.flat.find(f" {value}")
        while start >= 0:
            end = start + 1 + len(str(value))
            if self.flat[end] == " " or self.flat.startswith(_ENDINGS, end):
                return True
            start = self.flat.find(f" {value}", start + 1)
        return False


@lru_cache(maxsize=65_536)
def _kind(form: str) -> tuple[str, object]:
    text = form.strip()
    if (number := _decimal(re.sub(r"^[-\u2212$]*", "", text))) is not None and not _leading_zero(text):
        return (
            ("number", number) if len(re.sub(r"\D", "", text)) < _LONG_DIGITS else ("digits", re.sub(r"\D", "", text))
        )
    if (day := as_day(text)) is not None:
        return "day", day
    if (clock := _CLOCK.fullmatch(text)) is not None:
        return "time", (int(clock[1]), int(clock[2]))
    digits = re.sub(r"[-+() .]", "", text)
    if digits.isdecimal() and len(digits) >= _LONG_DIGITS:
        return "digits", digits
    return "words", _flat(text).strip()


def _leading_zero(text: str) -> bool:
    return len(text) > 1 and text[0] == "0" and text[1] != "."


@lru_cache(maxsize=512)
def _flat(text: str) -> str:
    if text.isascii():
        words = (_straight(text) if "'" in text else text.lower()).translate(_SPACES).split()
    else:
        words = _BREAKS.sub(" ", _straight(text)).split()
    return f" {' '.join(words)} "


def _straight(text: str) -> str:
    """Return the text in lower case, without Markdown and without apostrophes inside words."""
    return _APOSTROPHE.sub("", _MARKS.sub("", text.lower()))


def _decimal(text: str) -> Decimal | None:
    plain = text.replace(",", "")
    return Decimal(plain) if _NUMBER.fullmatch(plain) else None


def _spelled(words: str) -> Decimal:
    """Return the number that `words` spell: `twenty-one`, `two hundred`, `two hundred and ten`."""
    total = thousands = 0
    for word in re.split(r"[-, ]+", words):
        if word == "thousand":
            total, thousands = 0, total * 1000
        else:
            total = total * 100 if word == "hundred" else total + _WORD_NUMBERS.get(word, 0)
    return Decimal(thousands + total)


def with_sums_in_digits(text: str) -> str:
    """Return a text with its spoken amounts in digits: `$40.55` for `40 dollars and 55 cents`."""
    lower = text.lower()
    return _SUM.sub(_sum, text) if "cent" in lower or " dollar" in lower or " bucks" in lower else text


def _sum(spoken: re.Match[str]) -> str:
    """Return a spoken amount in digits: `$40.55`, `$360`."""
    if spoken["spelled"]:
        return f"${_spelled(spoken['spelled'].lower())}"
    whole, cents = (_number(spoken[part] or "0") for part in ("whole", "cents"))
    return f"${whole + cents / 100:.2f}"


def _number(text: str) -> Decimal:
    """Return the number that a text is, in digits or in words."""
    number = _decimal(text)
    return _spelled(text.lower()) if number is None else number


def _hour(match: re.Match[str]) -> tuple[int, int]:
    hour, half = int(match["h"] or match["h2"]), match["half"]
    if half == "p" and hour < 12:
        hour += 12
    if half == "a" and hour == 12:
        hour = 0
    return hour, int(match["m"] or 0)
