"""The commands `trainer data prepare` and `trainer data convert`: their options and the reports that they print."""

import argparse
import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_env_schemas import TOOL_PROMPTS, ShapingWeights, UserStrategy, levels
from trainer_client.client import Client
from trainer_client.dataset.convert import Conversion, convert
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.prepare import Preparation, prepare
from trainer_client.dataset.row_files import check_names, write
from trainer_client.dataset.server import AT_HAND, STRATEGIES, strategy_of, user_of
from trainer_client.dataset.source import read_file
from trainer_client.skyrl.own_task import MOST_TURNS

PATIENCE_S = 10.0
"""How long the commands wait for a server that does not answer: a person waits at the terminal."""

MODES = ("live", "record", "replay", "replay_or_live")
SHAPINGS = ("none", "mcp_tool_env", "first_tool")

SHOWN = 3
"""The most tasks that the report shows for each reason to drop them."""

MISSED = 0.1
"""The share of a domain's tasks that may be on the wrong side of the split without a note."""

_PREPARE = "Make rows of the tasks that a server lists: parquet or JSON lines with SkyRL's columns."
_CONVERT = """Make rows of tau-bench-style tasks. Each task's gold is played on the server first; one whose gold fails,
changes nothing or does not score is dropped and reported. Without --train-out and --val-out only the report is made."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add both commands."""
    one = commands.add_parser("prepare", help="rows of a server's tasks", description=_PREPARE)
    _add_prepare(one)
    two = commands.add_parser("convert", help="rows of tau-bench-style JSON", description=_CONVERT)
    _add_convert(two)


def _add_prepare(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--domain", action="append", default=[], help="a domain; may be repeated (default: all that have the pack)")
    add("--split", default=Preparation.split, help="the split (default: %(default)s)")
    add("--limit", type=count, help="the most tasks of each domain")
    add("--offset", type=count, default=0, help="tasks of each domain to leave out at the beginning")
    add("--seed", type=int, help="shuffle the tasks by this seed (default: the order of the split)")
    add_choice(parser)
    parser.set_defaults(run=_prepare)


def add_choice(parser: argparse.ArgumentParser) -> None:
    """Add the options that `preparation` reads, except domains, splits, seed and numbers of tasks."""
    add = parser.add_argument
    grades = "take only tasks of this difficulty: 1 to 5, or a range such as 1-3"
    add("--difficulty", type=_difficulty, metavar="LEVEL", help=grades)
    orders = "difficulty: easy tasks first, and the limit applies afterwards (default: %(default)s, as in the split)"
    add("--order", choices=("id", "difficulty"), default=Preparation.order, help=orders)
    add("--out", type=Path, action="append", required=True, help="a .parquet or .jsonl file; may be repeated")
    add("--few-shot", type=count, default=0, metavar="K", help="solved training tasks to show in each prompt")
    add("--allow-eval", action="store_true", help="allow tasks of the test split, which are never trained on")
    _add_common(parser, user=None)


def _add_convert(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "input",
        type=Path,
        help='a file {"tasks": [{instruction, actions, outputs?, domain}]}, a list, .jsonl or .parquet',
    )
    add("--train-out", type=Path, action="append", default=[], help="a .parquet or .jsonl file; may be repeated")
    add("--val-out", type=Path, action="append", default=[], help="the same for the other tasks")
    ratio = "the share of each domain's tasks that is for training (default: %(default)s)"
    add("--train-ratio", type=float, default=Conversion.train_ratio, help=ratio)
    add("--limit", action="append", default=[], metavar="[DOMAIN=]N", help="the most tasks of each domain, or of one")
    add("--seed", type=int, default=Conversion.seed, help="chooses and divides the tasks (default: %(default)s)")
    add("--domain", help="the domain of tasks that name none")
    add("--allow-failing-calls", action="store_true", help="keep tasks of tau1 and tau2 of which some gold calls fail")
    add("--keep-told", action="store_true", help="keep tasks that change nothing but have values to tell")
    _add_common(parser, user=UserStrategy.LLM.value)
    parser.set_defaults(run=_convert)


def _add_common(parser: argparse.ArgumentParser, user: str | None) -> None:
    add = parser.add_argument
    add_server(parser)
    add("--user", default=user, choices=STRATEGIES, help=f"who plays the user (default: {user or 'the script'})")
    add("--user-model", help="the language model that plays the user")
    formats = tuple(TOOL_PROMPTS)
    add("--tool-prompt", choices=formats, default=Preparation.tool_prompt, help="how tools are described and called")
    turns = f"the most turns of an episode, for all domains or for one (default: {Preparation.max_turns})"
    add("--max-turns", type=_turns, action="append", default=[], metavar="[DOMAIN=]N", help=turns)
    add("--tools-mode", choices=MODES, help="how tools of MCP servers are called (default: live)")
    add("--tag", help="the recordings to use, for --tools-mode record, replay or replay_or_live")
    add("--server", action="append", default=[], help="offer only tools of this MCP server; may be repeated")
    add("--tool", action="append", default=[], help="offer only this tool of the MCP servers; may be repeated")
    shaping = f"a shaped reward: {', '.join(SHAPINGS)}, or an object with weights"
    add("--reward-shaping", type=_shaping, metavar="PRESET|JSON", help=shaping)


def add_server(parser: argparse.ArgumentParser, pack: str | None = Preparation.pack) -> None:
    """Add the options that every command has: the server, its key, the pack, and the form of the report."""
    add = parser.add_argument
    url = os.environ.get("ENV_SERVER_URL", "http://127.0.0.1:8000")
    add("--url", default=url, help="the server (default: ENV_SERVER_URL, or http://127.0.0.1:8000)")
    add("--key", default=os.environ.get("ENV_SERVER_KEY"), help="its key (default: ENV_SERVER_KEY)")
    add("--pack", default=pack, help=f"the source of tasks and world (default: {pack or 'every one'})")
    add("--json", action="store_true", help="print the report as one JSON object")


def count(text: str) -> int:
    """A whole number of at least 0."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number of at least 0")
    return int(text)


def _difficulty(text: str) -> str:
    """A level of difficulty, or a range of levels."""
    try:
        levels(text)
    except ValueError as e:
        raise argparse.ArgumentTypeError(str(e)) from e
    return text


def _turns(text: str) -> str:
    """A number of turns that an episode may have, or DOMAIN=number."""
    number = text.rpartition("=")[2]
    if not number.isdecimal() or not 1 <= int(number) <= MOST_TURNS:
        raise argparse.ArgumentTypeError(f"{number!r} is no whole number from 1 to {MOST_TURNS}")
    return text


def preparation(options: argparse.Namespace) -> Preparation:
    """The rows of listed tasks that the options ask for."""
    turns, turns_of = _by_domain("--max-turns", options.max_turns)
    return Preparation(
        domains=options.domain,
        pack=options.pack,
        split=options.split,
        difficulty=options.difficulty,
        order=options.order,
        offset=options.offset,
        limit=options.limit,
        seed=options.seed,
        few_shot=options.few_shot,
        tool_prompt=options.tool_prompt,
        user=user_of(options.user, options.user_model),
        tools=_tools(options),
        reward_shaping=options.reward_shaping,
        max_turns=turns or Preparation.max_turns,
        turns=turns_of,
        allow_eval=options.allow_eval,
    )


def _prepare(options: argparse.Namespace) -> bool:
    check_names(options.out)
    wanted = preparation(options)
    with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
        rows, report = prepare(client, wanted)
    report["files"] = [write(path, rows) for path in options.out]
    report["notes"] = about_user(wanted.user)
    print(json.dumps(report) if options.json else show_preparation(report))
    return True


def _convert(options: argparse.Namespace) -> bool:
    check_names([*options.train_out, *options.val_out], options.input)
    if bool(options.train_out) != bool(options.val_out) and options.train_ratio not in (0, 1):
        raise DataError("name both --train-out and --val-out, or let --train-ratio be 1")
    limit, limits = _by_domain("--limit", options.limit)
    turns, turns_of = _by_domain("--max-turns", options.max_turns)
    wanted = Conversion(
        domain=options.domain,
        pack=options.pack,
        train_ratio=options.train_ratio,
        limit=limit,
        limits=limits,
        seed=options.seed,
        tool_prompt=options.tool_prompt,
        user=user_of(options.user, options.user_model),
        tools=_tools(options),
        reward_shaping=options.reward_shaping,
        max_turns=turns or Conversion.max_turns,
        turns=turns_of,
        allow_failing_calls=options.allow_failing_calls,
        keep_told=options.keep_told,
    )
    listed = read_file(options.input)
    with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
        made = convert(client, listed, wanted)
    sides = [(options.train_out, made.train, "training"), (options.val_out, made.val, "validation")]
    report = {**made.report, "files": [write(path, rows) for paths, rows, _ in sides for path in paths if rows]}
    report["notes"] = about_user(wanted.user) if report["files"] else []
    if report["sound"]:  # otherwise nothing was made, and existing files stay
        report["notes"] += [_without_rows(path, use) for paths, rows, use in sides for path in paths if not rows]
    print(json.dumps(report) if options.json else show_conversion(report))
    return bool(report["sound"])


def about_user(user: Mapping[str, Any] | None) -> list[str]:
    """A note on what is needed to play the rows, if their user is a language model."""
    if strategy_of(user) in AT_HAND:
        return []
    told = (user or {}).get("model") or "ENV_SERVER_USER_MODEL there, or --user-model here"
    return [f"a language model plays the users of these rows, and the server that plays them must reach one: {told}"]


def _without_rows(path: Path, use: str) -> str:
    """Remove the file at `path`: a file without rows would fail later, and an old one has other tasks."""
    old = path.exists()
    try:
        path.unlink(missing_ok=True)
    except OSError as e:
        raise DataError(f"{path} has other rows and cannot be removed: {e.strerror}") from e
    return f"{path}: not written, as no task is for {use}" + "; the old file is removed" * old


def _shaping(text: str) -> str | dict[str, Any]:
    """The name of a preset, or weights as JSON."""
    if not text.lstrip().startswith("{"):
        if text not in SHAPINGS:
            raise argparse.ArgumentTypeError(f"{text!r} is none of {', '.join(SHAPINGS)}, and no JSON object")
        return text
    try:
        weights = json.loads(text)
        ShapingWeights.model_validate(weights)
    except ValueError as e:
        raise argparse.ArgumentTypeError(" ".join(str(e).split())) from e
    return dict(weights)


def _tools(options: argparse.Namespace) -> dict[str, Any] | None:
    """The options of tools as `/reset` takes them; None if none is given."""
    if options.tag is not None and options.tools_mode in (None, "live"):
        raise DataError("--tag names recordings: say with --tools-mode what to do with them")
    given = {
        "mode": options.tools_mode,
        "tag": options.tag,
        "servers": options.server,
        "allow_list": options.tool,
    }
    return {name: value for name, value in given.items() if value} or None


def _by_domain(option: str, given: Sequence[str]) -> tuple[int | None, Mapping[str, int]]:
    """The number for every domain, and the numbers for single domains."""
    numbers: dict[str, int] = {}
    for text in given:
        domain, _, number = text.rpartition("=")
        if not number.isdecimal():
            raise DataError(f"{option} {text}: give a number, or DOMAIN=number")
        if domain in numbers:
            raise DataError(f"{option} is given twice for {domain or 'every domain'}: {numbers[domain]} and {number}")
        numbers[domain] = int(number)
    return numbers.pop("", None), numbers


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
            f" {source['split']!r}, {_prompts(source)} {source['prompt_chars']:,} characters, version"
            f" {source['pack_version'][:12]}"
        )
        if source["examples"]:
            yield f"  examples: {', '.join(source['examples'])}"


def _prompts(source: Mapping[str, Any]) -> str:
    return "prompt" if source["prompts"] == 1 else f"{source['prompts']} prompts of at most"


def _numbers(report: Mapping[str, Any]) -> Iterator[str]:
    yield f"{report['sound']} of {report['tasks']} tasks passed the audit"
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
    """`text` without characters that cannot be shown or encoded: a name may hold half a surrogate pair."""
    return "".join(c if c.isprintable() else " " for c in text)
