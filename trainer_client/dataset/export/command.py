"""The command `trainer data export`: which episodes, in which format, and the report."""

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from agent_env_schemas import EpisodeSummary
from trainer_client.client import Client
from trainer_client.dataset.command import PATIENCE_S, add_server, count
from trainer_client.dataset.errors import DataError
from trainer_client.dataset.export.choice import Choice, Template, pass_rates, templates_of
from trainer_client.dataset.export.conversation import Conversation, NoConversation, conversation
from trainer_client.dataset.export.formats import FORMATS, described
from trainer_client.dataset.row_files import check_names, replace_text, write

PAGE = 500
INFO = "dataset_info.json"

_EXPORT = """Write recorded episodes as data of other trainers. Episodes that were not scored are left out, and so are
those of evaluations, unless --allow-eval is given. If the filters leave no row, nothing is written, the file of an
earlier export stays, and the exit status is 1. A run, domain, pack, version or template without an episode is an error:
nothing is written, and the exit status is 2."""


def add_to(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command."""
    parser = commands.add_parser("export", help="recorded episodes for other trainers", description=_EXPORT)
    add = parser.add_argument
    add("--format", choices=tuple(FORMATS), required=True, help="the form of the rows")
    add("--out", type=Path, required=True, help="a .jsonl file; dataset_info.json beside it describes it")
    add("--run", dest="name", metavar="RUN", required=True, help="the run whose episodes are taken")
    add("--domain", help="only episodes of this domain")
    add("--pack-version", help="only episodes of this version of the pack")
    add("--template", action="append", default=[], help="only episodes of tasks of this template; may be repeated")
    add("--licence", action="append", default=[], help="only episodes on packs of this licence; may be repeated")
    licences = "the licence of a pack, of one domain's (DOMAIN/PACK=MIT), or of tasks of requests (inline=MIT)"
    add("--licence-of", type=_licence, action="append", default=[], metavar="PACK=LICENCE", help=licences)
    rates = "only episodes of tasks whose share of passed attempts is in this range, such as .1-.9"
    add("--pass-rate", type=_rate, metavar="LOW-HIGH", help=rates)
    add("--pass-rate-of", metavar="RUN", help="the run whose attempts are counted (default: the run of --run)")
    add("--min-reward", type=_reward, help="only episodes with at least this reward")
    add("--conduct", action="store_true", help="only episodes whose conduct is without a fault")
    add("--max-messages", type=count, help="leave out conversations with more messages")
    add("--allow-eval", action="store_true", help="take episodes of evaluations too, which are never trained on")
    add_server(parser, pack=None)
    parser.set_defaults(run=_export)


def _export(options: argparse.Namespace) -> bool:
    if options.out.suffix != ".jsonl":
        raise DataError(f"{options.out}: the file must end in .jsonl")
    if options.licence and not options.licence_of:
        raise DataError("records have no licences: say with --licence-of PACK=LICENCE which pack has which")
    if options.licence_of and not options.licence:
        raise DataError("--licence-of needs --licence LICENCE, the licence that is wanted")
    for pack, licence in options.licence_of:
        if (other := dict(options.licence_of)[pack]) != licence:
            raise DataError(f"--licence-of gives {pack} two licences, {licence} and {other}")
    if unknown := set(options.licence) - {licence for _, licence in options.licence_of}:
        raise DataError(f"--licence {sorted(unknown)[0]}: no --licence-of gives it to a pack")
    if options.pass_rate_of and options.pass_rate is None:
        raise DataError("--pass-rate-of needs --pass-rate LOW-HIGH, the share that is wanted")
    check_names([options.out])
    _listed(options.out)  # if the list cannot be read, fail before anything is written
    left_out: Counter[str] = Counter()
    with Client(options.url, options.key, patience_s=PATIENCE_S) as client:
        kept = list(_kept(client, options, left_out))
    rows = list(FORMATS[options.format](kept, left_out))
    told = {reason: number for reason, number in sorted(left_out.items()) if number}
    report: dict[str, Any] = {"episodes": len(kept), "rows": len(rows), "left_out": told}
    if rows:
        report["file"] = write(options.out, rows)
        _describe(options.out, options.format)
    print(json.dumps(report) if options.json else _shown(report))
    return bool(rows)


def _kept(client: Client, options: argparse.Namespace, left_out: Counter[str]) -> Iterator[Conversation]:
    """The conversations that the options ask for, each once; the others are counted with the reason."""
    choice, template = _choice(options), templates_of(client)
    listed = _episodes(client, options.name)
    _check_there(options.name, listed, choice, template)
    measured = _episodes(client, options.pass_rate_of) if options.pass_rate_of else listed
    rates = {} if choice.pass_rate is None else pass_rates(measured)
    seen: set[str] = set()
    for summary in listed:
        if reason := choice.unwanted(summary, template, rates):
            left_out[reason] += 1
            continue
        try:
            found = conversation(client.trajectory(summary.episode_id))
        except NoConversation as why:
            left_out[str(why)] += 1
            continue
        text = json.dumps([found.system, list(found.messages)], sort_keys=True)
        if options.conduct and found.conduct != 1:
            left_out["conduct"] += 1
        elif options.max_messages is not None and len(found.messages) > options.max_messages:
            left_out["too long"] += 1
        elif text in seen and options.format != "preferences":
            left_out["said before"] += 1
        else:
            seen.add(text)
            yield found


def _check_there(run: str, listed: Sequence[EpisodeSummary], choice: Choice, template: Template) -> None:
    """Check that there are episodes of what the options name.

    Raises:
        DataError: if there are none of something; the message lists what there is.
    """
    for field in ("domain", "pack", "pack_version"):
        there, wanted = {str(getattr(each, field)) for each in listed}, getattr(choice, field)
        _check_named(run, field, set() if wanted is None else {wanted}, there)
    if choice.templates:
        of = {template(each.domain, each.pack, each.task_id) for each in listed}
        _check_named(run, "template", set(choice.templates), {name for name in of if name is not None})


def _check_named(run: str, option: str, wanted: set[str], there: set[str]) -> None:
    if unknown := sorted(wanted - there):
        told = f"--{option.replace('_', '-')} {unknown[0]}: no episode of the run {run} has it"
        raise DataError(f"{told}; there are {', '.join(sorted(there)) or 'none'}; nothing was written")


def _episodes(client: Client, run: str) -> list[EpisodeSummary]:
    """All episodes of a run.

    Raises:
        DataError: if there are none, as of a run whose name is mistyped.
    """
    found = page = client.episodes(run=run, limit=PAGE).episodes
    while page:
        page = client.episodes(run=run, limit=PAGE, before=page[-1].episode_id).episodes
        found = [*found, *page]
    if not found:
        raise DataError(f"there is no episode of the run {run}: is the name right? Nothing was written")
    return found


def _choice(options: argparse.Namespace) -> Choice:
    return Choice(
        domain=options.domain,
        pack=options.pack,
        pack_version=options.pack_version,
        min_reward=options.min_reward,
        templates=options.template,
        licences=options.licence,
        licence_of=dict(options.licence_of),
        pass_rate=options.pass_rate,
        allow_eval=options.allow_eval,
    )


def _licence(text: str) -> tuple[str, str]:
    """A pack and its licence."""
    pack, _, licence = text.partition("=")
    if not pack or not licence:
        raise argparse.ArgumentTypeError(f"{text!r}: give PACK=LICENCE, or DOMAIN/PACK=LICENCE")
    return pack, licence


def _reward(text: str) -> float:
    """A finite number."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise argparse.ArgumentTypeError(f"{text!r} is no number")
    return found


def _rate(text: str) -> tuple[float, float]:
    """The ends of a range of shares."""
    low, _, high = text.partition("-")
    try:
        ends = float(low), float(high)
    except ValueError:
        ends = (1.0, 0.0)
    if not 0 <= ends[0] <= ends[1] <= 1:
        raise argparse.ArgumentTypeError(f"{text!r} is no range of shares such as .1-.9")
    return ends


def _listed(out: Path) -> dict[str, Any]:
    """LLaMA-Factory's list of data sets in the folder of a file."""
    info = out.with_name(INFO)
    try:
        found = json.loads(info.read_text(encoding="utf-8")) if info.exists() else {}
    except (OSError, ValueError) as error:
        raise DataError(f"{info}, which would list {out.name}, cannot be read: {error}") from None
    if not isinstance(found, dict):
        raise DataError(f"{info}, which would list {out.name}, is no JSON object")
    return found


def _describe(out: Path, name: str) -> None:
    """Add the file to LLaMA-Factory's list, which is read again: another export may have changed it meanwhile."""
    entry = described(name, out.name)
    if entry is not None:
        replace_text(out.with_name(INFO), f"{json.dumps({**_listed(out), out.stem: entry}, indent=2)}\n")


def _shown(report: dict[str, Any]) -> str:
    lines = [f"rows written: {report['rows']}, of {report['episodes']} episodes"]
    lines += [f"left out, {reason}: {number}" for reason, number in report["left_out"].items()]
    file = report.get("file")
    wrote = f"{file['path']}: {file['bytes']:,} bytes, sha256 {file['sha256'][:12]}" if file else "nothing was written"
    lines.append(wrote)
    return "\n".join(lines)
