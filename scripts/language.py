"""How varied the instructions of domains are, and how much of the wording of `test` occurs in `train` too.

    python scripts/language.py airline retail telecom healthcare doordash

- distinct-2: the number of different pairs of successive words, divided by the number of all pairs, in the first 8,000
  words of the instructions of `test`.
- strings: the share of the strings of eight words in `test` that occur in some instruction of `train`.
- sentences: the share of the sentences of more than three words in `test` that occur in some instruction of `train`.

For the last two, all names count as equal, and all words with a digit. The first 500 tasks of `test` and 1,500 of
`train` are compared.
"""

import argparse
import re
from collections.abc import Callable, Hashable, Iterable
from itertools import pairwise

from env_server.commands.setup import find_pack, read_settings

WORDS, LENGTH, SHORT = 8000, 8, 3
TASKS = {"test": 500, "train": 1500}
WORD = re.compile(r"[a-z0-9'#@._-]+")
VALUE = re.compile(r"\b[A-Z#][\w-]*|\S*\d\S*")
END = re.compile(r"(?<=[.!?])\s+")


def distinct_2(texts: list[str]) -> float:
    """Return the share of different pairs of successive words."""
    words = [word for text in texts for word in WORD.findall(text.lower())][:WORDS]
    pairs = list(pairwise(words))
    return len(set(pairs)) / len(pairs)


def strings(text: str) -> set[tuple[str, ...]]:
    """Return the strings of eight words of a text whose values are masked."""
    words = WORD.findall(VALUE.sub("_", text).lower())
    return {tuple(words[at : at + LENGTH]) for at in range(len(words) - LENGTH + 1)}


def sentences(text: str) -> list[str]:
    """Return the sentences of more than three words, whose values are masked."""
    return [VALUE.sub("_", part) for part in END.split(text.strip()) if len(part.split()) > SHORT]


def heard(test: list[str], train: list[str], parts: Callable[[str], Iterable[Hashable]]) -> float:
    """Return the share of the parts of `test` that are among those of `train`."""
    known = {part for text in train for part in parts(text)}
    asked = [part for text in test for part in parts(text)]
    return sum(part in known for part in asked) / len(asked)


def main() -> None:
    """Read the domains' names and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("domains", nargs="+")
    print(f"{'':<12}{'distinct-2':>12}{'strings':>10}{'sentences':>12}")
    for domain in parser.parse_args().domains:
        pack = find_pack(read_settings(), domain, "builtin")
        texts = {
            split: [pack.task_at(split, at).instruction or "" for at in range(size)] for split, size in TASKS.items()
        }
        shares = (heard(texts["test"], texts["train"], parts) for parts in (strings, sentences))
        print(f"{domain:<12}{distinct_2(texts['test']):>12.2f}" + "{:>10.2f}{:>12.2f}".format(*shares))


if __name__ == "__main__":
    main()
