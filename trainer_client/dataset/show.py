"""Reports for people."""

from collections.abc import Iterator, Mapping
from typing import Any

SHOWN = 3
"""Tasks that are shown of each reason to drop some."""


def show_preparation(report: Mapping[str, Any]) -> str:
    """The report of `prepare` as text."""
    return "\n".join([*_sources(report), *_files(report)])


def show_conversion(report: Mapping[str, Any]) -> str:
    """The report of `convert` as text."""
    return "\n".join([*_numbers(report), *_drops(report), *_files(report)])


def _sources(report: Mapping[str, Any]) -> Iterator[str]:
    for source in report["domains"]:
        yield (
            f"{source['domain']}/{source['pack']}: {source['rows']} of {source['listed']} tasks of split"
            f" {source['split']!r}, prompt {source['prompt_chars']:,} characters, version {source['pack_version'][:12]}"
        )
        if source["examples"]:
            yield f"  examples: {', '.join(source['examples'])}"


def _numbers(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"{report['sound']} of {report['tasks']} tasks measure something"
    for name, numbers in report["domains"].items():
        dropped = "".join(f", {n} {reason}" for reason, n in sorted(numbers["dropped"].items()))
        over = f", {numbers['over_limit']} over the limit" if numbers["over_limit"] else ""
        yield f"{name}: {numbers['train']} for training, {numbers['val']} for validation{over}{dropped}"


def _drops(report: Mapping[str, Any]) -> Iterator[str]:
    for reason, number in sorted(report["dropped"].items()):
        yield f"{reason}, {number}:"
        of_it = [drop for drop in report["drops"] if drop["reason"] == reason]
        for drop in of_it[:SHOWN]:
            yield f"  task {drop['position']} ({drop['domain'] or 'no domain'}): {_clean(drop['detail'])}"
        if number > SHOWN:
            yield f"  and {number - SHOWN} more; --json has all of them"


def _files(report: Mapping[str, Any]) -> Iterator[str]:
    for file in report["files"]:
        yield f"{file['path']}: {file['rows']} rows, {file['bytes']:,} bytes, sha256 {file['sha256'][:12]}"


def _clean(text: str) -> str:
    """One line of printable characters, not too long."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= 200 else line[:199] + "\N{HORIZONTAL ELLIPSIS}"
