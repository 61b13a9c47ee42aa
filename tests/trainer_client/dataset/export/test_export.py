"""`trainer data export`: recorded episodes, played on a real server, as rows of other trainers."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from agent_env_schemas import TaskDetail
from tests.e2e.server import Server
from trainer_client import Client
from trainer_client.cli import DONE, FAILED, MISUSED, main
from trainer_client.dataset.row_files import write

TASK: dict[str, Any] = {
    "instruction": "You are Yusuf Rossi. You want to know how many kinds of products the shop sells.",
    "gold": {"actions": [{"name": "list_all_product_types", "arguments": {}}], "outputs": ["50"]},
    "basis": ["actions"],
}
CALL = {"tool_calls": [{"name": "list_all_product_types", "arguments": {}}]}
WRITTEN = 'Let me look. <tool_call>{"name": "list_all_product_types", "arguments": {}}</tool_call>'
LOOK = [{"name": "list_all_product_types", "arguments": {}}]
DONE_CALL = {"tool_calls": [{"name": "done", "arguments": {}}]}


def play(client: Client, run: str, group: str, *actions: Any, purpose: str = "train") -> float | None:
    """An episode in which the agent works alone; its reward."""
    options: dict[str, Any] = {"task": TASK, "user": {"strategy": "none"}, "run": run, "purpose": purpose}
    episode = client.reset("retail", group_id=group, **options)
    for action in (*actions, DONE_CALL):
        reply = episode.step(action)
    return reply.reward


@pytest.fixture
def export(server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command; its status, report and rows."""

    def run(*options: str) -> tuple[int, dict[str, Any], list[dict[str, Any]]]:
        out = tmp_path / "rows.jsonl"
        out.unlink(missing_ok=True)
        status = main(["data", "export", *options, "--out", str(out), "--url", server.url, "--key", "secret", "--json"])
        lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
        return status, json.loads(capsys.readouterr().out.splitlines()[-1]), [json.loads(line) for line in lines]

    return run


@pytest.fixture(scope="module")
def played(server: Server) -> str:
    """A run with a good, a bad, a repeated, an unreadable and an evaluated episode; its name."""
    with Client(server.url, "secret") as client:
        assert play(client, "exported", "g", WRITTEN) == 1.0
        assert play(client, "exported", "g") == 0.0
        play(client, "exported", "h", WRITTEN)
        play(client, "exported", "h", "<tool_call>{broken", CALL)
        play(client, "exported/eval", "e", CALL, purpose="eval")
        client.reset("retail", task=TASK, user={"strategy": "none"}, run="exported", purpose="train")
    return "exported"


def test_openai_messages(export: Any, played: str) -> None:
    """A call in text becomes a tool call, and its result names it; episodes that cannot be read are counted."""
    status, report, rows = export("--format", "openai", "--run", played)
    assert (status, report["left_out"]) == (
        DONE,
        {"a message whose calls cannot be read from it again": 1, "not scored": 1, "said before": 1},
    )
    (good,) = [row for row in rows if len(row["messages"]) > 3]
    system, user, call, result, end = good["messages"]
    assert (system["role"], user["role"], call["content"]) == ("system", "user", "Let me look.")
    assert call["tool_calls"][0]["function"] == {"name": "list_all_product_types", "arguments": "{}"}
    assert (result["role"], result["tool_call_id"]) == ("tool", call["tool_calls"][0]["id"])
    assert end["tool_calls"][0]["function"]["name"] == "done"
    assert {"list_all_product_types", "done"} <= {tool["function"]["name"] for tool in good["tools"]}


def test_filters(export: Any, played: str, server: Server) -> None:
    """Reward, domain, version, length and evaluations filter episodes; the report counts those that are left out."""
    _, report, rows = export("--format", "openai", "--run", played, "--min-reward", "1")
    assert (len(rows), report["left_out"]["too little reward"]) == (1, 1)
    assert len(export("--format", "openai", "--run", played, "--pack", "builtin")[2]) == 2
    with Client(server.url, "secret") as client:
        version = client.episodes(run=played, limit=1).episodes[0].pack_version
    assert len(export("--format", "openai", "--run", played, "--pack-version", version)[2]) == 2
    assert len(export("--format", "openai", "--run", played, "--max-messages", "3")[2]) == 1
    assert export("--format", "openai", "--run", "exported/eval")[1]["left_out"] == {"of an evaluation": 1}
    assert len(export("--format", "openai", "--run", "exported/eval", "--allow-eval")[2]) == 1


@pytest.fixture(scope="module")
def measured(server: Server) -> dict[str, str]:
    """A run with two attempts at each of two tasks of different templates: one passes once, one always."""
    with Client(server.url, "secret") as client:
        sometimes, always = one(client), one(client, "cancel")
        for detail, passes in ((sometimes, (True, False)), (always, (True, True))):
            for place, right in enumerate(passes):
                attempt(client, "measured", detail, right=right, words=f"Attempt {place}.")
        attempt(client, "other", always, right=False, words="Not now.")
    return {"sometimes": sometimes.template or "", "always": always.template or ""}


def one(client: Client, but: str | None = None) -> TaskDetail:
    """An easy task of retail that is solved alone and without words, with its gold: one that cancels, or another."""
    for task in client.tasks("retail", split="train", difficulty=1, limit=1000).tasks:
        if (task.template == "cancel") == (but is None):
            detail = client.task("retail", task.task_id, gold=True)
            assert detail.gold is not None
            names = [call.name for call in detail.gold.actions if call.requestor == "agent"]
            if names and "state" in detail.basis and not detail.gold.outputs and "transfer" not in names[-1]:
                return detail
    raise AssertionError(but)


def attempt(client: Client, run: str, detail: TaskDetail, *, right: bool, words: str) -> None:
    """Play a listed task alone, by its gold or by doing nothing."""
    assert detail.gold is not None
    calls = [{"name": call.name, "arguments": call.arguments} for call in detail.gold.actions]
    episode = client.reset("retail", task_id=detail.task_id, user={"strategy": "none"}, run=run, purpose="train")
    episode.step({"content": words, "tool_calls": calls if right else LOOK})
    assert episode.step(DONE_CALL).reward == float(right)


def kept(rows: list[dict[str, Any]]) -> int:
    """How many attempts of the run are in the rows."""
    return sum("Attempt" in json.dumps(row) for row in rows)


def test_templates(export: Any, measured: dict[str, str]) -> None:
    """Only episodes of the named templates are kept; a task in a request has no template."""
    asked = ("--format", "openai", "--run", "measured", "--template", measured["sometimes"])
    _, report, rows = export(*asked)
    assert (kept(rows), report["left_out"]) == (2, {"another template": 2})
    assert kept(export(*asked, "--template", measured["always"])[2]) == 4


def test_pass_rates(export: Any, measured: dict[str, str]) -> None:
    """The pass rate counts all attempts of this run or of another; a task that was not tried there is left out."""
    asked = ("--format", "openai", "--run", "measured", "--pass-rate")
    _, report, rows = export(*asked, ".1-.9")
    assert (kept(rows), report["left_out"]) == (2, {"another pass rate": 2})
    assert kept(export(*asked, "0.5-1")[2]) == 4
    assert kept(export(*asked, "1-1")[2]) == 2
    _, report, rows = export(*asked, "0-.5", "--pass-rate-of", "other")
    assert (kept(rows), report["left_out"]) == (2, {"a task without a measured pass rate": 2})


def test_licences(export: Any, measured: dict[str, str]) -> None:
    """The caller gives the licences of packs, and a domain's own goes first. A pack without a licence is left out."""
    asked = ("--format", "openai", "--run", "measured", "--licence", "MIT")
    assert kept(export(*asked, "--licence-of", "builtin=MIT")[2]) == 4
    other = ("--licence-of", "builtin=MIT", "--licence-of", "retail/builtin=CC-BY-4.0")
    status, report, _ = export(*asked, *other)
    assert (status, report["left_out"]) == (FAILED, {"another licence": 4})
    assert kept(export(*asked, *other, "--licence", "CC-BY-4.0")[2]) == 4
    status, report, _ = export(*asked, "--licence-of", "tau2=MIT")
    assert (status, report["left_out"]) == (FAILED, {"a pack whose licence is not told": 4})


def test_licences_of_tasks_of_requests(export: Any, played: str) -> None:
    """A task in a request does not have the licence of the pack that it was played on."""
    asked = ("--format", "openai", "--run", played, "--licence", "MIT", "--licence-of")
    status, report, _ = export(*asked, "builtin=MIT")
    assert (status, report["left_out"]["a task of a request, whose licence is not told"]) == (FAILED, 4)
    assert len(export(*asked, "inline=MIT")[2]) == 2


def test_a_run_of_two_domains(export: Any, server: Server) -> None:
    """Episodes of another domain or another version of a pack are left out, with the reason."""
    task = {"instruction": "Say 50.", "gold": {"actions": [], "outputs": ["50"]}}
    asked = ("--format", "openai", "--run", "two-domains")
    with Client(server.url, "secret") as client:
        play(client, "two-domains", "g", CALL)
        client.reset("airline", task=task, user={"strategy": "none"}, run="two-domains", purpose="train").step(
            DONE_CALL
        )
        (airline, _) = client.episodes(run="two-domains").episodes
    status, report, rows = export(*asked, "--domain", "airline")
    assert (status, len(rows), report["left_out"]) == (DONE, 1, {"another domain": 1})
    status, report, rows = export(*asked, "--pack-version", airline.pack_version)
    assert (status, len(rows), report["left_out"]) == (DONE, 1, {"another version of the pack": 1})


@pytest.fixture
def again(server: Server, played: str, tmp_path: Path) -> tuple[Path, list[str]]:
    """A file with rows of an earlier export, and the command that writes it, without its run."""
    out = tmp_path / "rows.jsonl"
    command = ["data", "export", "--format", "kto", "--out", str(out), "--url", server.url, "--key", "secret"]
    assert main([*command, "--run", played]) == DONE
    assert out.read_text(encoding="utf-8")
    return out, command


@pytest.mark.parametrize(
    ("mistaken", "why"),
    [
        (["--min-reward", "2"], "too little reward"),
        (["--licence", "MIT", "--licence-of", "retial=MIT"], "a task of a request, whose licence is not told"),
        (["--max-messages", "0"], "too long"),
        (["--conduct"], "conduct"),
    ],
)
def test_an_export_of_nothing_takes_nothing_away(
    again: tuple[Path, list[str]], played: str, mistaken: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """If the filters keep no row, the earlier file and the list of data sets stay, and the reason is told."""
    out, command = again
    info = out.with_name("dataset_info.json")
    before = out.read_bytes(), info.read_bytes()
    capsys.readouterr()
    assert main([*command, "--run", played, *mistaken]) == FAILED
    told = capsys.readouterr().out
    assert (out.read_bytes(), info.read_bytes()) == before
    assert f"left out, {why}: " in told
    assert told.endswith("nothing was written\n")


def test_a_template_of_another_domain_takes_nothing_away(
    server: Server, measured: dict[str, str], again: tuple[Path, list[str]]
) -> None:
    """The template exists, but together with the domain no episode is left; the earlier file stays."""
    out, command = again
    before = out.read_bytes()
    task = {"instruction": "Say 50.", "gold": {"actions": [], "outputs": ["50"]}}
    with Client(server.url, "secret") as client:
        attempt(client, "template-elsewhere", one(client), right=True, words="Yes.")
        client.reset("airline", task=task, user={"strategy": "none"}, run="template-elsewhere", purpose="train").step(
            DONE_CALL
        )
    asked = ["--run", "template-elsewhere", "--domain", "airline", "--template", measured["sometimes"]]
    assert main([*command, *asked]) == FAILED
    assert out.read_bytes() == before


def test_two_exports_into_one_folder_at_once(
    again: tuple[Path, list[str]], played: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that another export adds to the list of data sets meanwhile stays in it."""
    out, command = again
    info = out.with_name("dataset_info.json")

    def meanwhile(path: Path, rows: list[Any]) -> dict[str, Any]:
        listed = json.loads(info.read_text(encoding="utf-8"))
        info.write_text(json.dumps({**listed, "other": {"file_name": "other.jsonl"}}), encoding="utf-8")
        return write(path, rows)

    monkeypatch.setattr("trainer_client.dataset.export.command.write", meanwhile)
    assert main([*command, "--run", played]) == DONE
    assert set(json.loads(info.read_text(encoding="utf-8"))) == {"rows", "other"}
    assert sorted(each.name for each in out.parent.iterdir()) == ["dataset_info.json", "rows.jsonl"]


@pytest.mark.parametrize(
    ("mistaken", "told"),
    [
        (
            ["--run", "no-such-run"],
            "there is no episode of the run no-such-run: is the name right? Nothing was written",
        ),
        (
            ["--run", "exported", "--pass-rate", "0-1", "--pass-rate-of", "nobody"],
            "there is no episode of the run nobody",
        ),
        (
            ["--run", "exported", "--domain", "retial"],
            "--domain retial: no episode of the run exported has it; there are",
        ),
        (
            ["--run", "exported", "--pack", "tau2"],
            "--pack tau2: no episode of the run exported has it; there are builtin",
        ),
        (
            ["--run", "exported", "--template", "cancel"],
            "--template cancel: no episode of the run exported has it; there",
        ),
        (["--run", "exported", "--pack-version", "x"], "--pack-version x: no episode of the run exported has it"),
    ],
)
def test_a_mistake_takes_nothing_away(
    again: tuple[Path, list[str]], mistaken: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that no episode has is an error, and the file of an earlier export stays."""
    out, command = again
    before = out.read_bytes()
    assert main([*command, *mistaken]) == MISUSED
    assert told in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parametrize("content", ["{", "[]"])
def test_a_list_of_data_sets_that_cannot_be_read(
    again: tuple[Path, list[str]], played: str, content: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the list before anything is written."""
    out, command = again
    out.with_name("dataset_info.json").write_text(content, encoding="utf-8")
    before = out.read_bytes()
    assert main([*command, "--run", played, "--min-reward", "1"]) == MISUSED
    assert "dataset_info.json, which would list rows.jsonl, " in capsys.readouterr().err
    assert out.read_bytes() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--licence", "MIT"], "--licence-of PACK=LICENCE"),
        (["--licence-of", "builtin"], "give PACK=LICENCE"),
        (["--licence-of", "builtin=MIT"], "--licence-of needs --licence"),
        (["--licence", "MIT", "--licence-of", "a=MIT", "--licence-of", "a=CC0"], "a two licences, MIT and CC0"),
        (["--pass-rate", ".9-.1"], "no range of shares"),
        (["--pass-rate", "half"], "no range of shares"),
        (["--licence", "MTI", "--licence-of", "a=MIT"], "--licence MTI: no --licence-of gives it to a pack"),
        (["--min-reward", "nan"], "'nan' is no number"),
        (["--max-messages", "-1"], "'-1' is no whole number of at least 0"),
        (["--pass-rate-of", "other"], "--pass-rate LOW-HIGH"),
    ],
)
def test_filters_that_say_nothing(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong option is one line, and no request is sent."""
    command = ["data", "export", "--format", "openai", "--run", "x", "--out", str(tmp_path / "a.jsonl"), *options]
    with contextlib.suppress(SystemExit):
        assert main(command) == MISUSED
    assert told in capsys.readouterr().err


def test_conduct(export: Any, server: Server, measured: dict[str, str]) -> None:
    """Episodes with a fault are left out, and so are those in which nothing was measured."""
    with Client(server.url, "secret") as client:
        detail = one(client)
        assert detail.gold is not None
        write = {"tool_calls": [{"name": call.name, "arguments": call.arguments} for call in detail.gold.actions]}
        for action in (write, "Good day."):
            episode = client.reset("retail", task_id=detail.task_id, run="conduct", purpose="train", max_turns=1)
            assert episode.step(action).done
    assert measured
    _, report, rows = export("--format", "openai", "--run", "conduct", "--conduct")
    assert (report["left_out"], [row["messages"][-1]["content"] for row in rows]) == ({"conduct": 1}, ["Good day."])
    status, report, _ = export("--format", "openai", "--run", "measured", "--conduct")
    assert (status, report["left_out"]) == (FAILED, {"conduct": 4})


def test_sharegpt_alternates(export: Any, played: str, tmp_path: Path) -> None:
    """Turns of user and tools alternate with the agent's, as LLaMA-Factory requires; its list describes the file."""
    _, _, rows = export("--format", "sharegpt", "--run", played)
    for row in rows:
        roles = [turn["from"] for turn in row["conversations"]]
        assert set(roles[::2]) <= {"human", "observation"}
        assert set(roles[1::2]) <= {"gpt", "function_call"}
        assert len(roles) % 2 == 0
        assert all(tool.keys() >= {"name", "parameters"} for tool in json.loads(row["tools"]))
    info = json.loads((tmp_path / "dataset_info.json").read_text(encoding="utf-8"))["rows"]
    assert (info["file_name"], info["formatting"]) == ("rows.jsonl", "sharegpt")
    assert set(info["columns"].values()) <= rows[0].keys()


def test_preferences_compare_two_answers_to_one_conversation(export: Any, played: str) -> None:
    """The group with two rewards gives a pair: what both have in common, then what each said."""
    _, report, rows = export("--format", "preferences", "--run", played)
    (pair,) = rows
    assert [turn["from"] for turn in pair["conversations"]] == ["human"]
    assert json.loads(pair["chosen"]["value"])["name"] == "list_all_product_types"
    assert json.loads(pair["rejected"]["value"])["name"] == "done"
    assert report["rows"] == 1
    assert report["left_out"]["of a group with equal rewards"] == 1, "the readable attempt of the other group"


def test_kto_labels(export: Any, played: str) -> None:
    """A good and a bad conversation get different labels."""
    _, _, rows = export("--format", "kto", "--run", played)
    assert sorted(row["kto_tag"] for row in rows) == [False, True]


def test_a_file_of_another_kind(export: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file whose name does not end in .jsonl is refused."""
    assert main(["data", "export", "--format", "kto", "--run", "x", "--out", str(tmp_path / "a.parquet")]) == MISUSED
    assert ".jsonl" in capsys.readouterr().err
