"""The dry run of a training job where SkyRL is not installed: what is ok, what failed, what could not be checked."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.server import Server
from tests.trainer_client.dataset.rows import sound_tasks
from trainer_client import Client
from trainer_client.dataset import Preparation, prepare, write
from trainer_client.recipes.grpo.train import main

Dry = Callable[..., tuple[int, dict[str, dict[str, str]]]]
SPLITS = {"train": 32, "val": 3, "test": 32}


def rows(path: Path, split: str, n: int | None = None, **info: Any) -> Path:
    """Rows of tasks of retail."""
    columns = {"data_source": "retail", "prompt": [{"role": "system", "content": "s"}], "env_class": "agent_env"}
    named = [{"domain": "retail", "split": split, "index": i, **info} for i in range(n or SPLITS[split])]
    path.write_text("\n".join(json.dumps({**columns, "extra_info": each}) for each in named), encoding="utf-8")
    return path


@pytest.fixture
def dry(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Dry:
    """Exit status and findings of the dry run of a sound job, but for the settings that are given."""
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    data = {part: rows(tmp_path / f"{part}.jsonl", part) for part in ("train", "val")}
    job = ["--preset", "gpu-4", "trainer.run_name=dry", f"environment.skyrl_gym.agent_env.url={server.url}"]
    job += [f"data.{part}_data=['{path}']" for part, path in data.items()]

    def run(*settings: str) -> tuple[int, dict[str, dict[str, str]]]:
        status = main(["--dry-run", "--json", *job, *settings])
        told = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert (told["ok"], told["status"]) == (status == 0, status)
        return status, {finding["check"]: finding for finding in told["findings"]}

    return run


def verdicts(found: dict[str, dict[str, str]], verdict: str) -> set[str]:
    """The checks with this verdict."""
    return {check for check, finding in found.items() if finding["verdict"] == verdict}


def test_it_says_what_it_could_not_check(dry: Dry) -> None:
    """Possible checks are made; those that need SkyRL's schema and the tokenizer say that they cannot be made."""
    status, found = dry()
    assert (status, verdicts(found, "not checked")) == (0, {"SkyRL's settings", "prompt lengths", "context"})
    assert verdicts(found, "failed") == set()
    assert "SkyRL is not installed" in found["SkyRL's settings"]["detail"]
    kinds = (
        "train retail/builtin, train tasks, user the server's default",
        "val retail/builtin, val tasks, user the server's default",
    )
    assert found["episodes"]["detail"] == f"one of each kind, own tasks one by one: {'; '.join(kinds)}"
    assert found["plan"]["detail"] == (
        "10 steps of 32 prompts x 8 episodes of up to 36 turns, 256 at a time; 3 prompts evaluated every 10 steps"
    )


def test_rows_that_fill_no_batch(dry: Dry, tmp_path: Path) -> None:
    """The plan tells how many rows of an epoch are left over. A file that is named twice counts twice and is noted."""
    path = rows(tmp_path / "more.jsonl", "train", 20)
    status, found = dry(f"data.train_data=['{path}', '{tmp_path}/./more.jsonl']")
    assert status == 0
    assert found["plan"]["detail"].startswith(
        "10 steps of 32 prompts x 8 episodes of up to 36 turns, 256 at a time; 8 "
    )
    assert "; 8 rows of each epoch, others each time, fill no batch; 3 prompts" in found["plan"]["detail"]
    assert found["data"] == {
        "check": "data",
        "verdict": "note",
        "detail": f"40 rows to train on, 3 to evaluate on; {path} is named twice",
    }


@pytest.mark.parametrize(("every", "verdict"), [(9, "ok"), (10, "note"), (100, "note")])
def test_a_reference_that_would_never_move_is_noted(dry: Dry, every: int, verdict: str) -> None:
    """The job has 10 steps; a move after the last one changes no loss."""
    status, found = dry(f"environment.skyrl_gym.agent_env.reference_every={every}")
    assert (status, found["plan"]["verdict"]) == (0, verdict)
    told = f"the reference stays as it is in all of them, as environment.skyrl_gym.agent_env.reference_every={every}"
    assert (told in found["plan"]["detail"]) == (verdict == "note")


def test_a_job_without_evaluation(dry: Dry) -> None:
    """The rows to evaluate on are not read."""
    status, found = dry("data.val_data=['absent.jsonl']", "trainer.eval_interval=-1")
    assert (status, found["data"]["detail"]) == (0, "32 rows to train on, 0 to evaluate on")
    assert found["plan"]["detail"].endswith("nothing is evaluated")


def test_its_episodes_are_the_jobs_own_and_unscored(dry: Dry, server: Server) -> None:
    """They carry the labels with which the job will play, and none is left open."""
    dry("trainer.run_name=labelled")
    with Client(server.url, "secret") as client:
        for run, purpose in (("labelled", "train"), ("labelled/eval", "eval")):
            (episode,) = client.episodes(run=run).episodes
            assert (episode.purpose, episode.done, episode.scored) == (purpose, True, False)


@pytest.fixture
def prepared(server: Server, tmp_path: Path) -> Path:
    """Rows of two domains in parquet, as `trainer data prepare` writes them."""
    path = tmp_path / "train.parquet"
    with Client(server.url, "secret") as client:
        made, _ = prepare(client, Preparation(domains=["retail", "telecom"], limit=16))
    write(path, made)
    return path


def test_parquet_is_read_without_skyrl(dry: Dry, prepared: Path) -> None:
    """With pyarrow alone the rows are read and an episode of each kind begins; checks that need more say so."""
    status, found = dry(f"data.train_data=['{prepared}']")
    assert (status, found["data"]["detail"]) == (0, "32 rows to train on, 3 to evaluate on")
    for domain in ("retail", "telecom"):
        assert f"train {domain}/builtin, train tasks, user the server's default" in found["episodes"]["detail"]
    assert found["prompt lengths"]["detail"] == "transformers is not installed"


def test_parquet_without_pyarrow_is_not_checked(dry: Dry, prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the rows nor their contents can be checked: no check of them fails or passes."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    status, found = dry(f"data.train_data=['{prepared}']")
    assert (status, found["data"]["verdict"]) == (3, "not checked")
    assert (
        found["data"]["detail"]
        == f"{prepared}: pyarrow is not installed: .venv/bin/pip install -e '.[data]' in a checkout"
    )
    assert verdicts(found, "ok") == {"presets", "settings", "server", "model"}
    assert verdicts(found, "failed") == set()
    assert "retail" in found["server"]["detail"]


def test_mistyped_names_are_found_without_skyrl(dry: Dry) -> None:
    """Each name is reported with the likely one, beside other faults, and the rest of the job is checked."""
    mistyped = ("trainer.epoch=3", "generator.n_sample=4", "trainer.algorithm.eps_clip=0.3", "trainer.zzz=1")
    told = (
        "trainer.epoch: there is no such setting; did you mean trainer.epochs?",
        "generator.n_sample: there is no such setting; did you mean generator.n_samples_per_prompt?",
        "trainer.algorithm.eps_clip: there is no such setting; did you mean trainer.algorithm.eps_clip_high or"
        " trainer.algorithm.eps_clip_low?",
        "trainer.zzz: there is no such setting",
    )
    status, found = dry(*mistyped)
    assert (status, verdicts(found, "failed")) == (1, {"settings"})
    assert all(each in found["settings"]["detail"] for each in told)
    assert found["episodes"]["verdict"] == "ok"
    status, found = dry(*mistyped, "trainer.train_batch_size=0")
    assert "trainer.train_batch_size: expected a whole number" in found["settings"]["detail"]
    assert all(each in found["settings"]["detail"] for each in told)


def test_names_that_skyrl_takes_pass(dry: Dry) -> None:
    """Free names below some settings, empty sections, and old names that SkyRL still takes are accepted."""
    free = ("generator.inference_engine.engine_init_kwargs.max_model_len=40960", "trainer.policy.megatron_config={}")
    status, found = dry(*free, "trainer.use_sample_packing=true", "generator.chat_template_kwargs.any=1")
    assert (status, found["settings"]["verdict"]) == (0, "ok"), found["settings"]


def test_wrong_settings_fail_once(dry: Dry) -> None:
    """Checks that need the settings are not made, and nothing ends in a traceback."""
    status, found = dry("environment.skyrl_gym.max_env_workers=many", "trainer.train_batch_size=0")
    assert (status, verdicts(found, "failed"), verdicts(found, "ok")) == (1, {"settings"}, {"presets"})


@pytest.mark.parametrize(
    ("part", "split", "n", "info", "check", "told"),
    [
        ("train", "train", 32, {"index": None, "task_id": "no-such-task"}, "episodes", "no-such-task"),
        ("train", "train", 32, {"domain": "chess"}, "server", "does not host chess"),
        ("train", "train", 32, {"pack_version": "stale"}, "episodes", "pack_changed"),
        ("train", "test", 32, {}, "episodes", "test_task"),
        ("val", "val", 3, {"pack_version": "stale"}, "episodes", "pack_changed"),
        ("train", "train", 3, {}, "plan", "3 rows do not make a batch of 32"),
    ],
)
def test_rows_of_which_all_would_be_lost(
    dry: Dry, tmp_path: Path, part: str, split: str, n: int, info: dict[str, Any], check: str, told: str
) -> None:
    """Each such fault is one finding, whatever the other part of the data is like."""
    status, found = dry(f"data.{part}_data=['{rows(tmp_path / 'other.jsonl', split, n, **info)}']")
    assert status == 1
    assert check in verdicts(found, "failed")
    assert told in found[check]["detail"]


def test_files_that_are_not_there(dry: Dry) -> None:
    """The part of the data that can be read is checked all the same."""
    status, found = dry("data.val_data=['absent.jsonl']")
    assert (status, verdicts(found, "failed")) == (1, {"data"})
    assert found["plan"] == {"check": "plan", "verdict": "not checked", "detail": "data.val_data could not be read"}
    assert found["episodes"]["verdict"] == "ok"
    status, found = dry("data.train_data=['absent.jsonl']")
    assert (status, verdicts(found, "failed")) == (1, {"data"})
    assert {"episodes", "prompt lengths", "plan"} <= verdicts(found, "not checked")


def own(path: Path, *orders: str) -> Path:
    """Rows that carry their tasks, in each of which a note is added to an order."""
    told = [{"name": "think", "arguments": {"thought": each}} for each in orders]
    tasks = [
        {"instruction": f"Note {each}.", "gold": {"actions": [call]}, "basis": ["actions"]}
        for each, call in zip(orders, told, strict=True)
    ]
    named = [{"domain": "retail", "user": {"strategy": "none"}, "task": task} for task in tasks]
    columns = {"data_source": "own", "prompt": [{"role": "system", "content": "s"}], "env_class": "agent_env"}
    path.write_text("\n".join(json.dumps({**columns, "extra_info": each}) for each in named), encoding="utf-8")
    return path


def test_own_tasks_are_begun_one_by_one(dry: Dry, tmp_path: Path, server: Server) -> None:
    """A sound own task says nothing about another, but it does about an equal one, which is not tried again.

    The first, the last and others between them are tried, 16 in all. One that is refused is named.
    """
    path = own(tmp_path / "own.jsonl", *[f"#W{n}" for n in range(20)] * 2)
    job = (f"data.train_data=['{path}']", "trainer.run_name=own")
    status, found = dry(*job)
    assert (status, verdicts(found, "failed")) == (0, set())
    assert "train retail/builtin, own tasks, user none: 16 of 20;" in found["episodes"]["detail"]
    with Client(server.url, "secret") as client:
        assert client.episodes(run="own", limit=1).total == 16
        assert client.episodes(run="own", done=False, limit=1).total == 0
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:-1], lines[-1].replace("think", "launch_rocket")]), "utf-8")
    status, found = dry(*job)
    assert (status, verdicts(found, "failed")) == (1, {"episodes"})
    assert f"own tasks, user none: 1 of 16 refused: {path}, row 40: " in found["episodes"]["detail"]
    assert "launch_rocket" in found["episodes"]["detail"]


def test_a_run_that_was_an_evaluation(dry: Dry, server: Server) -> None:
    """A run has one purpose, so a name that is used for an evaluation cannot train."""
    with Client(server.url, "secret") as client:
        client.reset("retail", index=0, split="test", purpose="eval", run="judged").close()
    status, found = dry("trainer.run_name=judged")
    assert (status, verdicts(found, "failed")) == (1, {"episodes"})
    assert "purpose_conflict" in found["episodes"]["detail"]


def test_a_wrong_key(dry: Dry) -> None:
    """The finding has the server's refusal."""
    status, found = dry("environment.skyrl_gym.agent_env.key=wrong")
    assert (status, found["server"]["verdict"]) == (1, "failed")


def test_the_address_is_the_environments(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a setting, the address is ENV_SERVER_URL's, as the key is ENV_SERVER_KEY's."""
    monkeypatch.setenv("ENV_SERVER_KEY", "secret")
    monkeypatch.setenv("ENV_SERVER_URL", server.url)
    job = ["--preset", "gpu-4", "trainer.run_name=dry", "trainer.eval_interval=-1"]
    assert main(["--dry-run", *job, f"data.train_data=['{rows(tmp_path / 'train.jsonl', 'train')}']"]) == 0
    assert f"{server.url} hosts retail" in capsys.readouterr().out


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "127.0.0.1:1"])
def test_a_server_that_is_away(dry: Dry, url: str) -> None:
    """One finding has its address and the setting for it; a mapping on the command line is read as the job reads it."""
    status, found = dry(f"environment.skyrl_gym.agent_env={{url: '{url}'}}")
    assert (status, verdicts(found, "failed")) == (1, {"server"})
    assert found["server"]["detail"].startswith(f"{url} gave no answer: ")
    assert "set environment.skyrl_gym.agent_env.url, or ENV_SERVER_URL" in found["server"]["detail"]
    assert found["episodes"]["detail"] == "the server cannot be reached"


def test_evaluating_on_what_is_trained_on(dry: Dry, tmp_path: Path) -> None:
    """The same file fails, and so does a single task that is in both parts."""
    status, found = dry(f"data.val_data=['{tmp_path}/./train.jsonl']")
    assert (status, verdicts(found, "failed")) == (1, {"evaluation"})
    assert found["evaluation"]["detail"] == f"what is trained on is evaluated on: {tmp_path / 'train.jsonl'}"
    one = rows(tmp_path / "one.jsonl", "train", 1)
    status, found = dry(f"data.val_data=['{tmp_path}/val.jsonl', '{one}']")
    assert (status, verdicts(found, "failed")) == (1, {"evaluation"})
    assert found["evaluation"]["detail"] == "the tasks of 1 of 4 rows to evaluate on are trained on"


def test_fields_of_rows_that_nobody_reads(dry: Dry, tmp_path: Path) -> None:
    """Each field is noted once, with its first place; fields that only inform are not, and the job may run."""
    data = rows(tmp_path / "odd.jsonl", "train", max_turn=3, observation_role="user", template="x", level=2, seed=None)
    lines = [{**json.loads(line), "difficulty": 1, "answer": "y"} for line in data.read_text("utf-8").splitlines()]
    data.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    status, found = dry(f"data.train_data=['{data}']")
    assert (status, verdicts(found, "note")) == (0, {"data"})
    odd = [
        "extra_info.max_turn: did you mean max_turns?",
        "extra_info.observation_role: a row cannot set it",
        "difficulty: a column, and not in extra_info",
    ]
    told = "; ".join(f"{each} ({data}, row 1)" for each in odd)
    assert found["data"]["detail"] == f"32 rows to train on, 3 to evaluate on; not read are {told}"


def test_an_index_counts_tasks_of_its_difficulty(dry: Dry, tmp_path: Path) -> None:
    """The first easy task and the first task of the split are different tasks."""
    easy = rows(tmp_path / "easy.jsonl", "train", 3, difficulty="1-2", index=0)
    _, found = dry(f"data.val_data=['{easy}']")
    assert found["evaluation"]["detail"] == "no task is trained on and evaluated on"


def test_evaluating_on_what_has_a_gold_that_is_trained_on(dry: Dry, tmp_path: Path) -> None:
    """It fails if most tasks share their gold with training tasks; fewer may be chance and are only reported."""
    trained = own(tmp_path / "own.jsonl", *[f"#W{n}" for n in range(32)])
    other = own(tmp_path / "other.jsonl", "#W1", "#W2", "#W77")
    other.write_text(other.read_text("utf-8").replace("Note", "Please note"), "utf-8")
    job, told = f"data.train_data=['{trained}']", "the gold of 2 of {} rows to evaluate on is trained on"
    status, found = dry(job, f"data.val_data=['{other}']")
    assert (status, verdicts(found, "failed")) == (1, {"evaluation"})
    assert found["evaluation"]["detail"] == told.format(3)
    status, found = dry(job, f"data.val_data=['{other}', '{tmp_path}/val.jsonl']")
    assert (status, found["evaluation"]["detail"]) == (0, told.format(6))


def test_overrides_for_all_rows(dry: Dry, server: Server) -> None:
    """Episodes begin with the job's fields; fields that the server refuses, or that rows must set, are errors."""
    reset = "environment.skyrl_gym.agent_env.reset"
    status, found = dry(f"{reset}={{user: {{strategy: none}}, reward_shaping: first_tool}}", f"{reset}.max_errors=3")
    assert (status, verdicts(found, "failed")) == (0, set())
    with Client(server.url, "secret") as client:
        begun = client.trajectory(client.episodes(run="dry", limit=1).episodes[0].episode_id)
    assert "done" in {tool["function"]["name"] for tool in begun.tools}, "the tool of an agent that works alone"
    for wrong, told in (("{max_error: 3}", "reset.max_error: Extra"), ("{task_id: x}", "reset: task_id: the rows")):
        status, found = dry(f"{reset}={wrong}")
        assert (status, verdicts(found, "failed")) == (1, {"settings"})
        assert told in found["settings"]["detail"]


def test_rows_of_the_original_format(dry: Dry, tmp_path: Path, server: Server) -> None:
    """A file with a prompt of `messages` and gold in `reward_spec` passes; the server finds a gold that fails."""
    with Client(server.url, "secret") as client:
        tasks = sound_tasks(client, "retail", 4, "cancel")
    theirs = [
        {
            "data_source": "tau_bench",
            "prompt": {"messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "Hello."}]},
            "env_class": "tau_bench",
            "reward_spec": {"method": "tau_bench_reward", "ground_truth_actions": json.dumps(task["actions"])},
            "extra_info": {"domain": "retail", "instruction": task["instruction"]},
        }
        for task in tasks
    ]
    path = tmp_path / "theirs.jsonl"
    path.write_text("\n".join(map(json.dumps, theirs)), "utf-8")
    job = [f"data.train_data=['{path}']", "trainer.train_batch_size=4", "trainer.policy_mini_batch_size=4"]
    job += ["environment.skyrl_gym.agent_env.reset={user: {strategy: none}}"]
    status, found = dry(*job)
    assert (status, verdicts(found, "failed")) == (0, set()), found
    assert "train retail/builtin, own tasks, user none: 4 of 4;" in found["episodes"]["detail"], "the job says so"
    theirs[0]["reward_spec"] = {"ground_truth_actions": [{"name": "launch_rocket"}]}
    path.write_text("\n".join(map(json.dumps, theirs)), "utf-8")
    status, found = dry(*job)
    assert (status, verdicts(found, "failed")) == (1, {"episodes"})
    assert f"{path}, row 1: " in found["episodes"]["detail"]
    assert "launch_rocket" in found["episodes"]["detail"]


def test_difficulty_and_order(dry: Dry, tmp_path: Path) -> None:
    """The report tells which rows are trained on, and the plan counts them; unknown levels and empty choices fail."""
    section = "environment.skyrl_gym.agent_env"
    data = tmp_path / "train.jsonl"
    lines = [json.loads(line) for line in data.read_text("utf-8").splitlines()]
    for n, line in enumerate(lines * 2):
        line["extra_info"]["difficulty"] = n % 2 + 1
    data.write_text("\n".join(map(json.dumps, lines * 2)), "utf-8")
    status, found = dry(f"{section}.difficulty=1", f"{section}.order=difficulty")
    assert (status, verdicts(found, "failed")) == (0, set())
    assert found["data"]["detail"] == (
        "32 rows to train on, 3 to evaluate on; 32 are not of difficulty 1; easy rows come first"
    )
    assert found["plan"]["detail"].startswith("10 steps of 32 prompts")
    status, found = dry(f"{section}.difficulty=4-5")
    assert (status, verdicts(found, "failed")) == (1, {"data"})
    assert "no row is of difficulty 4-5; there are 32 of 1, 32 of 2" in found["data"]["detail"]
    for wrong, told in (
        ("difficulty=9", "difficulty: "),
        ("order=hard", "order: "),
        ("orders=shuffled", "did you mean order?"),
    ):
        status, found = dry(f"{section}.{wrong}")
        assert (status, verdicts(found, "failed")) == (1, {"settings"})
        assert told in found["settings"]["detail"]
