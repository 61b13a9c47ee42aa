"""The command `trainer data generate`: the options of its three ways and the reports that they print."""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from agent_env_schemas import TOOL_PROMPTS
from trainer_client.client import Client
from trainer_client.dataset.command import (
    PATIENCE_S,
    SHOWN,
    about_user,
    add_choice,
    add_server,
    count,
    preparation,
    show_preparation,
)
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.generate.llm import Generation, check_generation, generate, rows_of
from trainer_client.dataset.generate.model import Proposer
from trainer_client.dataset.generate.rule import Drawing, draw
from trainer_client.dataset.generate.specs import Specification, samples
from trainer_client.dataset.row_files import check_names, write

_RULE = "Draw tasks that a domain generates by rule: the rows of `prepare`, each with the task and its solution."
_SPECS = """Make sample rows of specifications of tool sequences. Every server and tool that they name must be one of
the domain; an error names its line."""
_LLM = """Let a language model propose tasks for MCP servers. Each is tried on the server; what fails is left out and
reported. A second run with the same --out continues the first. The key of the model is OPENAI_API_KEY."""
BACKENDS = ("openai", "chat")
"""The words of OPENAI_BACKEND that mean chat completions at `--base-url`."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command with its three ways."""
    parser = commands.add_parser("generate", help="tasks by rule, specification or model", description="Make tasks.")
    ways = parser.add_subparsers(required=True, metavar="rule|specs|llm", title="ways")
    _add_rule(ways.add_parser("rule", help="tasks that a domain generates", description=_RULE))
    _add_specs(ways.add_parser("specs", help="rows of tool sequences", description=_SPECS))
    _add_llm(ways.add_parser("llm", help="tasks that a model proposes", description=_LLM))


def _add_rule(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--domain", action="append", required=True, help="a domain; may be repeated")
    add("--split", action="append", dest="splits", metavar="SPLIT", help="may be repeated (default: train)")
    add("--count", type=count, dest="limit", metavar="N", help="the most tasks of each domain and split (default: all)")
    add("--seed", type=int, default=0, help="says which tasks are drawn (default: %(default)s)")
    add_choice(parser)
    parser.set_defaults(run=_rule, split="train", offset=0)


def _add_specs(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("input", type=Path, help='a file {"dependent_dataset": [{scenario, turns, limits, tasks}]}')
    add("--domain", default="mcp", help="the domain whose servers have the tools (default: %(default)s)")
    add("--out", type=Path, required=True, help="a .jsonl file, or .json for one list")
    add_server(parser)
    parser.set_defaults(run=_specs)


def _add_llm(parser: argparse.ArgumentParser) -> None:
    add, given = parser.add_argument, os.environ.get
    add("--domain", default="mcp", help="the domain whose servers have the tools (default: %(default)s)")
    add("--out", type=Path, required=True, help="a .jsonl file of tasks, or with --format parquet a .parquet file")
    add("--format", choices=("tasks", "parquet"), default="tasks", help="a file of tasks, or rows (default: tasks)")
    add("--server", action="append", default=[], help="tools of this server alone; may be repeated (default: all)")
    add("--count", type=count, default=_number("N_SAMPLES", Generation.count), help="tasks to keep (N_SAMPLES)")
    add("--model", default=given("OPENAI_MODEL"), help="the model (OPENAI_MODEL)")
    add("--base-url", default=_backend(), help="its endpoint (OPENAI_BACKEND as a URL, or OPENAI_BASE_URL)")
    add("--temperature", type=float, help="the model's temperature (default: the endpoint's own)")
    words = ",".join(Generation.complexities)
    levels = "complexities to ask for in turn (COMPLEXITIES; default: %(default)s)"
    add("--complexities", default=given("COMPLEXITIES") or words, help=levels)
    add("--topics", default=given("DOMAINS") or "", help="subjects to ask for in turn, between commas (DOMAINS)")
    calls, turns = "the most calls of a task (MAX_TOOLS)", "the most turns of an episode (MAX_TURNS)"
    add("--max-tools", type=count, default=_number("MAX_TOOLS", Generation.max_tools), help=calls)
    most = "the most servers of a task (default: %(default)s)"
    add("--max-servers", type=count, default=Generation.max_servers, help=most)
    add("--max-turns", type=count, default=_number("MAX_TURNS", Generation.max_turns), help=turns)
    add("--per-request", type=count, default=Generation.per_request, help="tasks to ask for at once")
    add("--max-requests", type=count, help="the most questions to the model in this run")
    add("--price-in", type=float, help="USD for a million tokens of questions, for the report")
    add("--price-out", type=float, help="USD for a million tokens of answers")
    form = "with --format parquet: how the rows describe the tools"
    add("--tool-prompt", choices=tuple(TOOL_PROMPTS), default="hermes", help=form)
    add_server(parser)
    parser.set_defaults(run=_llm)


def _rule(options: argparse.Namespace) -> bool:
    check_names(options.out)
    wanted = Drawing(each=preparation(options), splits=tuple(dict.fromkeys(options.splits or ["train"])))
    with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
        rows, report = draw(client, wanted)
    report["files"] = [write(path, rows) for path in options.out]
    report["notes"] = about_user(wanted.each.user)
    if report["without_gold"]:
        report["notes"].append(f"{report['without_gold']} rows are without their task: the server does not give it")
    print(json.dumps(report) if options.json else show_preparation(report))
    return True


def _specs(options: argparse.Namespace) -> bool:
    if options.out.suffix not in (".jsonl", ".json"):
        raise DataError(f"{options.out}: the name must end in .jsonl or .json")
    if options.out.resolve() == options.input.resolve():
        raise DataError(f"{options.input} is the input of the command and would be lost: write to another file")
    with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
        rows, report = samples(client, options.input, Specification(domain=options.domain, pack=options.pack))
    listed = options.out.suffix == ".json"
    _write(options.out, json.dumps(rows, indent=2) + "\n" if listed else _lines(rows))
    report["path"] = str(options.out)
    shown = f"{options.out}: {report['rows']} rows, servers: {', '.join(report['servers'])}"
    print(json.dumps(report) if options.json else shown)
    return True


def _llm(options: argparse.Namespace) -> bool:
    wanted = Generation(
        domain=options.domain,
        pack=options.pack,
        servers=options.server,
        count=options.count,
        per_request=options.per_request,
        max_requests=options.max_requests,
        complexities=_words(options.complexities),
        topics=_words(options.topics),
        max_tools=options.max_tools,
        max_servers=options.max_servers,
        max_turns=options.max_turns,
    )
    check_generation(wanted)
    ending = ".parquet" if options.format == "parquet" else ".jsonl"
    if options.out.suffix != ending:
        raise DataError(f"{options.out}: with --format {options.format} the name must end in {ending}")
    check_names([options.out])
    if not options.model:
        raise DataError("name a model: --model, or OPENAI_MODEL")
    proposer = Proposer(options.model, options.base_url, temperature=options.temperature)
    try:
        with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
            tasks, report = generate(client, proposer, options.out, wanted, _progress)
            if options.format == "tasks":
                _write(options.out, _lines(tasks))
            elif tasks:
                write(options.out, rows_of(client, tasks, wanted, options.tool_prompt))
    finally:
        proposer.close()
    report |= {"path": str(options.out), "cost_usd": _cost(report, options.price_in, options.price_out)}
    print(json.dumps(report) if options.json else "\n".join(_shown(report)))
    return bool(report["kept"] >= report["wanted"])


def _shown(report: Mapping[str, Any]) -> Iterator[str]:
    """The report of `llm` as text."""
    yield f"{report['path']}: {report['kept']} of {report['wanted']} tasks"
    for reason, number in report["left_out"].items():
        yield f"{reason}, {number}:"
        of_it = [drop for drop in report["drops"] if drop["reason"] == reason]
        for drop in of_it[:SHOWN]:
            yield f"  answer {drop['reply']}, task {drop['place']}: {_clean(drop['detail'])}"
        if number > SHOWN:
            yield f"  and {number - SHOWN} more; --json has all of them"
    cost = "" if report["cost_usd"] is None else f", {report['cost_usd']:.4f} USD"
    tokens = f"{report['prompt_tokens']:,} + {report['completion_tokens']:,} tokens"
    yield f"{report['requests']} questions to the model: {tokens}{cost}"
    if report["stopped"]:
        yield f"stopped: {_clean(report['stopped'])}; the same command goes on"


def _cost(report: Mapping[str, Any], price_in: float | None, price_out: float | None) -> float | None:
    """The cost in USD; None if no price is given."""
    if price_in is None and price_out is None:
        return None
    return float((report["prompt_tokens"] * (price_in or 0.0) + report["completion_tokens"] * (price_out or 0.0)) / 1e6)


def _progress(kept: int, wanted: int, left_out: int) -> None:
    """Draw a bar on a terminal."""
    if sys.stderr.isatty():
        full = 30 * kept // wanted
        end = "\n" if kept >= wanted else ""
        print(f"\r[{'#' * full}{'.' * (30 - full)}] {kept}/{wanted}, {left_out} left out", end=end, file=sys.stderr)


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each) + "\n" for each in rows)


def _write(path: Path, text: str) -> None:
    """Replace a file at once: a reader finds the whole old one or the whole new one."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8", newline="\n")
        part.replace(path)
    except OSError as e:
        raise DataError(f"{path} cannot be written: {e.strerror or e}") from e
    finally:
        part.unlink(missing_ok=True)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _number(name: str, default: int) -> int | str:
    """The text of an environment variable, or `default`. argparse checks the text as it checks that of an option."""
    return os.environ.get(name) or default


def _backend() -> str | None:
    """The endpoint that the environment names; None leaves it to the client (OPENAI_BASE_URL)."""
    given = os.environ.get("OPENAI_BACKEND")
    return None if not given or given in BACKENDS else given


def _clean(text: str) -> str:
    line = "".join(c if c.isprintable() else " " for c in text)
    return line if len(line) <= 200 else line[:199] + "\N{HORIZONTAL ELLIPSIS}"
