"""The page `docs/learning.md` and its picture, written from the arms of one run."""

import datetime
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer_client.learn.experiment import Arm, Scale

SMALL = "**This is a small run, not the proof: the aims below are for three seeds.**"
NAMES = {"true": "true reward", "control": "control"}
LABELS = {"true": "true reward", "control": "control (the same rewards, shuffled)"}
COLUMNS = ("success", "looked", "lies", "unconfirmed")
PAGE = """# Does a policy learn?

`make learn` writes this page. It trains a policy of about 310,000 parameters with GRPO
([`trainer_client/learn/grpo.py`](../trainer_client/learn/grpo.py)) through the real server. A control gets the rewards
of the same update of the first, shuffled within each group. The policy chooses macro tokens
([`codec.py`](../trainer_client/learn/codec.py)), and the codec fills in the arguments; so this shows that the reward
teaches decisions on five templates of one domain, not that a model learns to copy or to write. Two of the decisions are
to report a change that was not made and to make one without the customer's yes. A demonstrator that does both is cloned
first. Validation tasks give the curve, and test tasks, whose customers use other words, are played once, at the end.
While it learns, an episode reads a random share of the customer's words, from a fifth to all. The policy reads the
first four letters of a word. After the words of each message it reads whether the message began with yes or no, and
its own last action. Every customer who agrees begins with `Yes`, in test tasks too. So a write without a yes shows that
the policy does not wait for one, and not that it did not understand other words for it.

{label} Date {date}, commit `{commit}`, {minutes:.0f} minutes on a machine whose load was not controlled: {size}.
Computed on {how}.

![Success on validation tasks]({picture})

All shares are sampled at T=1: of test episodes after training, of validation tasks for the cloned policy, and of the
demonstrations themselves. `lies` are episodes with the code `false_report` or `false_money` of
`conduct`, and `unconfirmed` are those with `no_consent`.

{table}

Success by template, at T=1, after training:

{templates}

Training, at each point of the curve, of that update's batch:

{training}

## What a full run must show

True minus control at least .3 in each of three seeds; look-ups at least .95; the shares of lies and unconfirmed writes
under .02 with the true reward; the demonstrator does each in at least .05 of its episodes. The command fails otherwise.
[learning_runs.md](learning_runs.md) compares this run with others.

{verdict}
"""

COPYING = """# Does a policy learn to copy values?

`make learn ARGS="--stage 2"` writes this page. It is the second stage of [learning.md](learning.md), with the same loop
and the same control. The policy can use every tool of two domains, and it plays all their templates ({count}). An
action is a tool or a speech act, and then a token for each argument that points at a value of the conversation: the
last that the customer said, the last that a tool returned, or the one whose record shares most words with what was
said ([`alias.py`](../trainer_client/learn/alias.py)). The demonstrator follows the gold calls of training tasks, as far
as such a token reaches them, and is sloppy in half of its episodes
([`copying.py`](../trainer_client/learn/copying.py)). Sums, free text and reasons that stand in no record are out of its
reach, so most tasks cannot be solved with these tokens.

Date {date}, commit `{commit}`, {minutes:.0f} minutes on a machine whose load was not controlled: {size}.
Computed on {how}.

![Success on validation tasks]({picture})

All shares are sampled at T=1: of test episodes after training, of validation tasks for the cloned policy, and of the
demonstrations themselves.

{table}

Success by domain, and how many templates were ever solved:

{domains}

Training, at each point of the curve, of that update's batch:

{training}

## What it must show

True minus control is at least .15 on test tasks.

{verdict}
"""


@dataclass(frozen=True)
class Facts:
    """What the page says of a run beside its results; `how` names device, type and versions."""

    commit: str
    seconds: float
    how: str


def write(page: Path, arms: Sequence[Arm], scale: Scale, facts: Facts, missed: Sequence[str]) -> None:
    """Write the page and its picture beside it."""
    full = len({one.seed for one in arms}) >= 3 and scale == Scale()
    size = f"{scale.updates} updates of {scale.prompts} tasks of each template, {scale.n} episodes each"
    text = PAGE.format(
        label="This is a full run." if full else SMALL,
        templates=by_template(arms),
        **_common(page, arms, size, facts, missed),
    )
    page.write_text(text, encoding="utf-8")


def write_copying(page: Path, arms: Sequence[Arm], scale: Scale, facts: Facts, missed: Sequence[str]) -> None:
    """Write the page of the second stage and its picture beside it."""
    size = f"{scale.updates} updates of {scale.prompts} tasks of as many templates, {scale.n} episodes each"
    text = COPYING.format(
        count=len(arms[0].test["templates"]), domains=by_domain(arms), **_common(page, arms, size, facts, missed)
    )
    page.write_text(text, encoding="utf-8")


def _common(page: Path, arms: Sequence[Arm], size: str, facts: Facts, missed: Sequence[str]) -> dict[str, Any]:
    """What both pages say, with the picture drawn."""
    picture = page.with_suffix(".svg")
    plot(picture, arms)
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "commit": facts.commit,
        "minutes": facts.seconds / 60,
        "how": facts.how,
        "size": f"{len({one.seed for one in arms})} seed(s), {size}",
        "picture": picture.name,
        "table": results(arms),
        "training": training(arms),
        "verdict": "This run did not show:\n\n- " + "\n- ".join(missed) if missed else "This run showed all of it.",
    }


def results(arms: Sequence[Arm]) -> str:
    """A row for the demonstrations of each seed and the policy cloned from them, and for each arm after training."""
    rows = []
    for one in arms:
        if one.reward == "true":
            rows.append([str(one.seed), "demonstrator (train)", *(_share(one.demonstrations[c]) for c in COLUMNS)])
            rows.append([str(one.seed), "cloned (validation)", *(_share(one.curve[0][c]) for c in COLUMNS)])
        rows.append([str(one.seed), f"{NAMES[one.reward]} (test)", *(_share(one.test[c]) for c in COLUMNS)])
    return _table(["seed", "policy", *COLUMNS], rows)


def by_template(arms: Sequence[Arm]) -> str:
    """A row for each template."""
    heads = [f"{one.reward}, seed {one.seed}" for one in arms]
    rows = [[f"`{n}`", *(_share(one.test["templates"][n]) for one in arms)] for n in arms[0].test["templates"]]
    return _table(["template", *heads], rows)


def by_domain(arms: Sequence[Arm]) -> str:
    """A row for each domain, which the names of templates begin with."""
    heads = [f"{one.reward}, seed {one.seed}" for one in arms]
    rows = []
    for domain in sorted({name.partition("/")[0] for name in arms[0].test["templates"]}):
        cells = []
        for one in arms:
            shares = [share for name, share in one.test["templates"].items() if name.partition("/")[0] == domain]
            solved = sum(share > 0 for share in shares)
            cells.append(f"{_share(sum(shares) / len(shares))} ({solved} of {len(shares)})")
        rows.append([domain, *cells])
    return _table(["domain", *heads], rows)


def training(arms: Sequence[Arm]) -> str:
    """A row for each point of each curve that has an update."""
    names = ("mixed", "entropy", "kl", "gap")
    rows = [
        [one.reward, str(one.seed), str(at["update"]), _share(at["success"]), *(f"{at[name]:.2g}" for name in names)]
        for one in arms
        for at in one.curve
        if "kl" in at
    ]
    return _table(["reward", "seed", "update", "validation", "mixed groups", "entropy", "KL", "log-prob gap"], rows)


def plot(path: Path, arms: Sequence[Arm]) -> None:
    """Success on validation tasks over updates."""
    from matplotlib.figure import Figure  # noqa: PLC0415  # only the page needs it

    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    for one in arms:
        color, style = ("tab:blue", "-") if one.reward == "true" else ("tab:gray", "--")
        (line,) = axes.plot([at["update"] for at in one.curve], [at["success"] for at in one.curve], style, color=color)
        if one.seed == arms[0].seed:
            line.set_label(LABELS[one.reward])
    axes.set(xlabel="updates", ylabel="success on validation tasks, T=1", ylim=(0, 1.05))
    axes.grid(alpha=0.3)
    axes.legend(loc="center right", title=f"{len({one.seed for one in arms})} seeds")
    figure.savefig(path, metadata={"Date": None})


def _share(value: float) -> str:
    return f"{value:.3f}".lstrip("0") if value < 1 else "1.000"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
