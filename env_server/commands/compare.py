"""`env-server compare`: compare two runs of an evaluation and list the tasks in which they differ."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from env_server.commands.output import console, fail, plain, print_json
from env_server.commands.runs import find_runs

MOST_FLIPS = 20
"""Maximum number of flipped tasks in the printed tables. `--json` has all of them."""

VERDICT = {
    "b": Text("B solves more than A.", "bold green"),
    "a": Text("B solves less than A.", "bold red"),
    None: Text("These episodes do not tell A and B apart.", "bold"),
}


def run(a: str, b: str, *, as_json: bool) -> None:
    """Compare two runs. Each is the name of a run in the database, or the path of a JSONL file that `eval` wrote.

    End the program with status 2 if one of them cannot be read, or if they have no task in common.
    """
    try:
        from env_server.evals.report.compare import compare  # noqa: PLC0415 -- numpy is slow to import, and may be absent
    except ModuleNotFoundError as e:
        fail(f"compare needs {e.name}: pip install '.[eval]' in a checkout")
    runs = find_runs([a, b])
    try:
        found = compare(*(one.outcomes for one in runs))
    except LookupError as e:
        fail(str(e))
    result = {"a": a, "b": b, **found, "asked": _asked(*(one.spec for one in runs))}
    if as_json:
        print_json(result)
    else:
        show(console(as_json=False), result)


def _asked(a: Mapping[str, Any], b: Mapping[str, Any]) -> dict[str, list[Any]]:
    """Return the options that differ between the two runs; empty if one of them does not record its options."""
    if not a or not b:
        return {}
    return {name: [a.get(name), b.get(name)] for name in sorted(a.keys() | b.keys()) if a.get(name) != b.get(name)}


def show(screen: Console, result: Mapping[str, Any]) -> None:
    """Print a comparison as text: the options that differ, the differences, the flipped tasks, and the verdict."""
    left = {name: result[f"only_{name}"] for name in ("a", "b")}
    outside = ", ".join(f"{number:,} only in {name.upper()}" for name, number in left.items() if number)
    screen.print()
    screen.print(Text.assemble(("A ", "bold"), plain(result["a"]), ("   B ", "bold"), plain(result["b"])))
    screen.print(Text(f"{result['tasks']:,} tasks in both" + (f"; left out: {outside}" if outside else ""), "dim"))
    for name, (a, b) in result["asked"].items():
        screen.print(Text.assemble((f"{name}: ", "dim"), plain(f"{a} and {b}")))
    screen.print(_differences(result["pass_hat"], result["reward"]))
    for title, colour, change in (("Better in B", "green", "better"), ("Worse in B", "red", "worse")):
        if result[change]:
            screen.print(_flips(title, colour, result[change]))
    screen.print(VERDICT[result["winner"]])


def _differences(by_k: Mapping[str, Mapping[str, Any]], reward: Mapping[str, Any]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", style="bold", no_wrap=True)
    for name in ("A", "B", "B less A", "95 % interval", "Tasks"):
        table.add_column(name, justify="right", no_wrap=True)
    for k, of in by_k.items():
        interval = "" if of["interval"] is None else "{:+.1%} to {:+.1%}".format(*of["interval"])
        shares = (f"{of['a']:.1%}", f"{of['b']:.1%}", f"{of['difference']:+.1%}")
        table.add_row("success" if k == "1" else f"pass^{k}", *shares, interval, Text(f"{of['tasks']:,}", "dim"))
    interval = "" if reward["interval"] is None else "{:+.3f} to {:+.3f}".format(*reward["interval"])
    means = (f"{reward['a']:.3f}", f"{reward['b']:.3f}", f"{reward['difference']:+.3f}")
    table.add_row("mean reward", *means, interval, Text(f"{reward['tasks']:,}", "dim"))
    return table


def _flips(title: str, colour: str, flips: Sequence[Mapping[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(f"{title}: {len(flips):,}", style="cyan", overflow="fold")
    for name in ("A", "B"):
        table.add_column(name, justify="right", style=colour, no_wrap=True)
    for flip in flips[:MOST_FLIPS]:
        table.add_row(plain(flip["task_id"]), f"{flip['a']:.0%}", f"{flip['b']:.0%}")
    if flips[MOST_FLIPS:]:
        table.add_row(Text(f"and {len(flips) - MOST_FLIPS:,} more; --json lists them", "dim italic"))
    return table
