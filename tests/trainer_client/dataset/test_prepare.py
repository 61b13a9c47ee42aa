"""`prepare`, against a real server."""

import dataclasses
import json
import re
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest

from tests.trainer_client.dataset.rows import begin, system, task_ids
from trainer_client import Client
from trainer_client.cli import DONE, MISUSED, main
from trainer_client.dataset import DataError, Preparation, prepare
from trainer_client.skyrl.row import reset_options

COLUMNS = ["data_source", "prompt", "env_class", "reward_spec", "extra_info"]
VAL = Preparation(domains=["retail"], split="val", limit=6)


def test_a_row_names_its_episode_and_holds_its_prompt(client: Client) -> None:
    """Every row has SkyRL's columns; its episode is of its task, and has the prompt's policy and tools by the word."""
    rows, report = prepare(client, VAL)
    assert (len(rows), report["rows"], {tuple(r) for r in rows}) == (6, 6, {tuple(COLUMNS)})
    row = rows[2]
    assert (row["data_source"], row["env_class"]) == ("retail/builtin", "agent_env")
    with begin(client, row, tool_prompt="hermes") as episode:
        assert episode.reply.info.task_id == row["extra_info"]["task_id"]
        assert episode.messages[0]["content"] == system(row)
        assert [m["role"] for m in episode.messages] == ["system", "user"]
        assert {t["function"]["name"] for t in episode.tools} <= set(re.findall(r'"name": ?"(\w+)"', system(row)))


def test_each_row_has_the_tools_and_the_answer_of_its_own_task(client: Client) -> None:
    """Tasks of one domain differ in them; tasks that share them share one prompt, which is read once."""
    rows, report = prepare(client, Preparation(domains=["research"], limit=24, seed=1))
    assert 1 < report["domains"][0]["prompts"] < len(rows)
    assert len({system(row) for row in rows}) == report["domains"][0]["prompts"]
    for row in rows:
        with begin(client, row, tool_prompt="hermes") as episode:
            assert episode.messages[0]["content"] == system(row)
    _, report = prepare(client, VAL)
    assert report["domains"][0]["prompts"] == 1


def test_options_of_tools_and_shaping_are_in_rows(client: Client) -> None:
    """The options are in the rows: they shape the prompt, and the episode that a rollout begins."""
    tools, shaping = {"servers": ["polygon"]}, {"valid": 0.5}
    wanted = Preparation(domains=["research"], limit=2, tools=tools, reward_shaping=shaping)
    row = prepare(client, wanted)[0][0]
    options = reset_options(row, 9)
    assert (options["tools"], options["reward_shaping"]) == (tools, shaping)
    with client.reset(**options, tool_prompt="hermes") as episode:
        assert episode.messages[0]["content"] == system(row)
        servers = {t["function"]["name"].partition("_")[0] for t in episode.tools}
        assert "polygon" in servers
        assert not servers & {"fmp", "tavily", "slack", "execute"}


def test_the_command_takes_options_of_tools(client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The options are named as a reset's fields, and the server checks them; a tag without a mode is refused."""
    file = tmp_path / "rows.jsonl"
    words = ["data", "prepare", "--url", client.url, "--key", "secret", "--domain", "research", "--limit", "1"]
    words += ["--out", str(file)]
    chosen = ["--server", "fmp", "--tool", "fmp_get_quote", "--reward-shaping", "first_tool"]
    assert main([*words, *chosen]) == DONE
    options = reset_options(json.loads(file.read_text().splitlines()[0]), 9)
    given = {"servers": ["fmp"], "allow_list": ["fmp_get_quote"]}
    assert (options["tools"], options["reward_shaping"]) == (given, "first_tool")
    capsys.readouterr()
    for wrong, problem in (
        (["--tools-mode", "replay", "--tag", "june"], "tools.mode has no effect"),
        (["--tag", "june"], "--tag names recordings"),
    ):
        assert main([*words, *wrong]) == MISUSED
        assert problem in capsys.readouterr().err
    for shaping in ("second_tool", '{"unknown": 1}'):
        with pytest.raises(SystemExit):
            main([*words, "--reward-shaping", shaping])


def test_no_solution_is_in_a_row(client: Client) -> None:
    """The gold of a listed task stays on the server."""
    rows, _ = prepare(client, VAL)
    assert {json.dumps(r["reward_spec"]["ground_truth"]) for r in rows} == {'{"actions": null, "outputs": null}'}
    gold = client.task("retail", task_ids(rows)[0], gold=True).gold
    assert gold is not None
    assert gold.actions
    assert not any(json.dumps(v) in json.dumps(rows[0]) for c in gold.actions for v in c.arguments.values())


def test_limit_offset_and_seed_choose_rows(client: Client) -> None:
    """Pages of an order are parts of it; a seed gives another order of the same tasks, and always the same one."""

    def chosen(**changes: Any) -> list[str]:
        return task_ids(prepare(client, dataclasses.replace(VAL, **changes))[0])

    listed = [t.task_id for t in client.tasks("retail", split="val", limit=1000).tasks]
    assert chosen(limit=None) == listed
    assert chosen(limit=3, offset=2) == listed[2:5]
    every = chosen(limit=None, seed=7)
    assert every != listed
    assert sorted(every) == sorted(listed)
    assert chosen(limit=None, seed=7) == every
    assert chosen(limit=None, seed=8) != every
    assert sorted(chosen(limit=5, seed=7) + chosen(limit=None, offset=5, seed=7)) == sorted(listed)


def test_a_difficulty_and_its_order_choose_rows(client: Client) -> None:
    """Rows of some levels, from easy to hard over all domains; the limit takes the easiest, a seed mixes each level."""

    def of(**changes: Any) -> list[tuple[int, str]]:
        rows = prepare(client, dataclasses.replace(VAL, limit=None, **changes))[0]
        return [(r["extra_info"]["difficulty"], r["extra_info"]["task_id"]) for r in rows]

    some = of(difficulty="1-3")
    assert {level for level, _ in some} == {1, 2, 3}
    rising = of(difficulty="1-3", order="difficulty")
    assert rising == sorted(some, key=itemgetter(0))
    wanted = dataclasses.replace(VAL, limit=9, order="difficulty")
    assert task_ids(prepare(client, wanted)[0]) == [name for _, name in of(order="difficulty")][:9]
    mixed = of(difficulty="1-3", order="difficulty", seed=1)
    assert (sorted(mixed), [level for level, _ in mixed]) == (sorted(rising), [level for level, _ in rising])
    assert mixed != rising
    assert mixed == of(difficulty="1-3", order="difficulty", seed=1)
    rows, report = prepare(client, dataclasses.replace(wanted, domains=["retail", "telecom"], limit=60))
    found = [(r["extra_info"]["difficulty"], r["extra_info"]["domain"]) for r in rows]
    assert found == sorted(found)
    assert [s["rows"] for s in report["domains"]] == [60, 60]


def test_test_tasks_are_for_evaluation_alone(client: Client) -> None:
    """The test split is refused unless `--allow-eval` is given; its rows then have the purpose `eval`."""
    wanted = dataclasses.replace(VAL, split="test")
    with pytest.raises(DataError, match="--allow-eval"):
        prepare(client, wanted)
    rows, _ = prepare(client, dataclasses.replace(wanted, allow_eval=True))
    assert {r["extra_info"]["purpose"] for r in rows} == {"eval"}
    rows, _ = prepare(client, dataclasses.replace(wanted, split="train"))
    assert {r["extra_info"]["purpose"] for r in rows} == {"train"}


@pytest.mark.parametrize("tool_prompt", ["hermes", "json"])
def test_examples_are_solved_training_tasks(client: Client, tool_prompt: str) -> None:
    """Each prompt ends with K solved tasks of different kinds, which are not among the rows; twice gives the same."""
    wanted = Preparation(domains=["retail"], few_shot=2, tool_prompt=tool_prompt, max_turns=12)  # type: ignore[arg-type]
    rows, report = prepare(client, wanted)
    (source,) = report["domains"]
    assert (len(source["examples"]), source["rows"], len(rows)) == (2, source["listed"] - 2, source["listed"] - 2)
    assert not set(source["examples"]) & set(task_ids(rows))
    shown = system(rows[0])
    assert (len(shown), shown.count("## Example ")) == (source["prompt_chars"], 2)
    assert "###STOP###" not in shown
    templates = []
    for task_id in source["examples"]:
        task = client.task("retail", task_id, gold=True)
        assert task.gold is not None
        assert task.split == "train"
        calls = [json.dumps({"name": c.name, "arguments": c.arguments}) for c in task.gold.actions]
        assert all(f"{'<tool_call>' if tool_prompt == 'hermes' else '[assistant]'}\n{call}" in shown for call in calls)
        templates.append(task.template)
    assert len(set(templates)) == 2
    assert prepare(client, wanted)[1] == report


def test_examples_of_an_agent_alone_are_played_alone(client: Client) -> None:
    """With the user `none` the tools are those of both sides, and an example ends with the call `done`."""
    user = {"strategy": "none"}
    rows, _ = prepare(client, Preparation(domains=["telecom"], split="val", limit=1, few_shot=1, user=user))
    assert json.loads(rows[0]["extra_info"]["user"]) == user
    assert '"toggle_airplane_mode"' in system(rows[0])
    assert "Nobody answers a question, tells who they are or agrees to anything" in system(rows[0])
    last = '<tool_call>\n{"name": "done", "arguments": {}}\n</tool_call>\n\n[tool]\nDone'
    assert system(rows[0]).endswith(last)
    with begin(client, rows[0]) as episode:
        assert episode.reply.info.user == "none"


def test_several_domains_are_mixed_by_the_seed(client: Client) -> None:
    """Each domain gives its share, with its own prompt; without a seed one comes after the other."""
    wanted = Preparation(domains=["retail", "healthcare"], split="val", limit=8, turns={"retail": 12})
    rows, _ = prepare(client, wanted)
    assert [r["extra_info"]["max_turns"] for r in rows] == [12] * 8 + [36] * 8
    assert [r["data_source"] for r in rows] == ["retail/builtin"] * 8 + ["healthcare/builtin"] * 8
    assert len({system(r) for r in rows}) == 2
    mixed, report = prepare(client, dataclasses.replace(wanted, seed=1))
    sources = [r["data_source"] for r in mixed]
    assert [s["rows"] for s in report["domains"]] == [8, 8]
    assert sources not in (sorted(sources), sorted(sources, reverse=True))


def test_all_domains_are_the_default(client: Client) -> None:
    """Without a name every domain that has the pack is taken."""
    rows, _ = prepare(client, Preparation(split="val", limit=1))
    assert {r["extra_info"]["domain"] for r in rows} == {d.name for d in client.domains().domains}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"domains": ["resale"]}, "there is no domain 'resale'; there are: "),
        ({"pack": "tau9"}, "retail has no pack 'tau9'; it has: builtin"),
        ({"domains": [], "pack": "tau9"}, "no domain of this server has a pack 'tau9'"),
        ({"split": "holdout"}, "retail has no split 'holdout'; it has: train, val, test"),
        ({"limit": 0}, "the limit is 0"),
        ({"turns": {"telecom": 60}}, "--max-turns telecom=...: no task here is of that domain; there are: retail"),
        ({"domains": [], "pack": "tau9"}, "has a pack 'tau9'; there are: builtin"),
        ({"offset": 500}, "no task of retail is left: the split lists 200"),
        ({"difficulty": 5}, "no task of retail is left: the split lists 0 of difficulty 5"),
    ],
)
def test_what_is_not_there_is_said(client: Client, changes: dict[str, Any], says: str) -> None:
    """An unknown name, or a number that fits nothing, is an error that lists what there is."""
    with pytest.raises(DataError, match=re.escape(says)):
        prepare(client, dataclasses.replace(VAL, **changes))
