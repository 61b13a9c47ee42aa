"""LLaMA-Factory's own arguments and loader read what `trainer data export` writes, by the files of docs/data.md."""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.e2e.server import ROOT, Server
from tests.trainer_client.dataset.export.test_export import CALL, WRITTEN, play
from trainer_client import Client
from trainer_client.cli import DONE, main

HERE = Path(__file__).parent
PAGE = ROOT / "docs/data.md"
RUN = "exported"

Read = Callable[..., list[dict[str, Any]]]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a group of a good and a bad episode, and another good one."""
    running = Server(tmp_path_factory.mktemp("server") / "env.db", {"API_KEYS": "trainer:secret"}).start()
    with Client(running.url, "secret") as client:
        play(client, RUN, "g", WRITTEN)
        play(client, RUN, "g")
        play(client, RUN, "h", CALL, CALL)
    yield running
    running.kill()


def recipes() -> list[dict[str, Any]]:
    """The files of the page."""
    return [
        yaml.safe_load(text) for text in re.findall(r"```yaml\n(# llamafactory.*?)```", PAGE.read_text("utf-8"), re.S)
    ]


@pytest.fixture
def read(server: Server, tmp_path: Path) -> Read:
    """Export in a format, and read it by a recipe of the page, changed: a token is a byte here, and there is no GPU."""

    def run(form: str, recipe: dict[str, Any], **changed: Any) -> list[dict[str, Any]]:
        out = tmp_path / "rows.jsonl"
        command = ["data", "export", "--format", form, "--run", RUN, "--out", str(out), "--url", server.url]
        assert main([*command, "--key", "secret"]) == DONE
        settings = {
            **recipe,
            "dataset_dir": str(tmp_path),
            "output_dir": str(tmp_path / "out"),
            "bf16": False,
            "cutoff_len": 10**6,
            **changed,
        }
        file = tmp_path / "recipe.yaml"
        file.write_text(yaml.safe_dump(settings), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(HERE / "stubs"), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
        done = subprocess.run(
            [os.environ["LLAMAFACTORY_PYTHON"], str(HERE / "read.py"), str(file)],
            env=environment, capture_output=True, text=True, check=False, cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr[-4000:]
        found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
        return found

    return run


@pytest.mark.parametrize("recipe", recipes(), ids=lambda recipe: str(recipe["finetuning_type"]))
def test_conversations(read: Read, recipe: dict[str, Any]) -> None:
    """Both files of the page are taken; calls are learned from, policy, tools and results are not."""
    rows = read("sharegpt", recipe)
    assert len(rows) == 3
    for row in rows:
        given, learned = row["input_ids"], row["labels"]
        assert '"name": "list_all_product_types"' in given.partition("<|im_start|>user")[0]
        assert (
            learned.count("<tool_call>\n{") == given.count("<tool_call>\n{") - 1
        )  # one is in the explanation of tools
        assert "Yusuf Rossi" in given
        assert "Yusuf Rossi" not in learned
        assert "tool_response" not in learned
    assert any("<tool_response>" in row["input_ids"] for row in rows)


def test_pairs(read: Read) -> None:
    """The chosen answer is a call that the rejected one does not make."""
    (pair,) = read("preferences", recipes()[0], stage="dpo")
    assert '"list_all_product_types"' in pair["chosen_labels"]
    assert '"done"' in pair["rejected_labels"]
    assert "Yusuf Rossi" in pair["chosen_input_ids"]


def test_labels(read: Read) -> None:
    """Good and bad conversations have the labels of KTO."""
    rows = read("kto", recipes()[0], stage="kto", per_device_train_batch_size=2)
    assert sorted(row["kto_tags"] for row in rows) == [False, True, True]
