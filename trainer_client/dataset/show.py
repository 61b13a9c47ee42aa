"""Reports for people."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

SHOWN = 3
"""Tasks that are shown of each reason to drop some."""

MISSED = 0.1
"""The part of a domain's tasks that may be on the wrong side without a word."""


def show_preparation(report: Mapping[str, Any]) -> str:
    """The report of `prepare` as text."""
    return "\n".join([*_sources(report), *_files(report), *_notes(report)])


def show_conversion(report: Mapping[str, Any]) -> str:
    """The report of `convert` as text."""
    return "\n".join([*_numbers(report), *_drops(report), *_files(report), *_notes(report)])


def _sources(report: Mapping[str, Any]) -> Iterator[str]:
    for source in report["domains"]:
        of = "" if source["difficulty"] is None else f" of difficulty {source['difficulty']}"
        yield (
            f"{source['domain']}/{source['pack']}: {source['rows']} of {source['listed']} tasks{of} of split"
            f" {source['split']!r}, prompt {source['prompt_chars']:,} characters, version {source['pack_version'][:12]}"
        )
        if source["examples"]:
            yield f"  examples: {', '.join(source['examples'])}"


def _numbers(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"{report['sound']} of {report['tasks']} tasks measure something"
    for name, numbers in report["domains"].items():
        dropped = "".join(f", {n} {reason}" for reason, n in sorted(numbers["dropped"].items()))
        over = f", {numbers['over_limit']} over the limit" if numbers["over_limit"] else ""
        yield f"{_clean(name)}: {numbers['train']} for training, {numbers['val']} for validation{over}{dropped}"
        if numbers["missed"] > MISSED * (numbers["train"] + numbers["val"]):
            more = f"{numbers['missed']} more or fewer are for training than the ratio asks for"
            yield f"  {more}: tasks of the same gold stay together"
    nowhere = Counter(drop["reason"] for drop in report["drops"] if drop["domain"] is None)
    if nowhere:
        yield f"no domain: {', '.join(f'{n} {reason}' for reason, n in sorted(nowhere.items()))}"


def _drops(report: Mapping[str, Any]) -> Iterator[str]:
    for reason, number in sorted(report["dropped"].items()):
        yield f"{reason}, {number}:"
        of_it = [drop for drop in report["drops"] if drop["reason"] == reason]
        for drop in of_it[:SHOWN]:
            yield f"  task {drop['position']} ({_clean(drop['domain'] or 'no domain')}): {_clean(drop['detail'])}"
        if number > SHOWN:
            yield f"  and {number - SHOWN} more; --json has all of them"


def _files(report: Mapping[str, Any]) -> Iterator[str]:
    for file in report["files"]:
        yield f"{_printable(file['path'])}: {file['rows']} rows, {file['bytes']:,} bytes, sha256 {file['sha256'][:12]}"


def _notes(report: Mapping[str, Any]) -> Iterator[str]:
    return (f"note: {_printable(note)}" for note in report.get("notes", ()))


def _clean(text: str) -> str:
    """One line of printable characters, not too long."""
    line = _printable(text)
    return line if len(line) <= 200 else line[:199] + "\N{HORIZONTAL ELLIPSIS}"


def _printable(text: str) -> str:
    """`text` without what no terminal shows, or no encoding has: a name may hold half a surrogate pair."""
    return "".join(c if c.isprintable() else " " for c in text)
