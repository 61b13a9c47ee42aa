"""Tied embeddings under SkyRL's sharding: one weight stays one, through a move, updates and an export."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM

from tests.skyrl.running import ENVIRONMENT
from trainer_client.recipes.export.export import check_ties


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the export."""
    return tmp_path_factory.mktemp("out") / "export"


@pytest.fixture(scope="module")
def found(tied: Path, model: Path, out: Path) -> Any:
    """The findings of a process that trains four models for two updates each, by SkyRL's own sharding."""
    command = [sys.executable, "-m", "tests.skyrl.standin.ties", str(tied), str(model), str(out)]
    ended = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr[-4000:]
    return json.loads(ended.stdout.splitlines()[-1])


def test_ties_hold(found: Any) -> None:
    """After a move to main memory and back, and two updates, the output layer equals the embeddings and has learned."""
    assert (found["kept"]["apart"], found["kept"]["told"]) == (0, ["", ""])
    assert found["kept"]["learned"] > 0.01
    assert found["kept"]["trains"] == found["skyrls own"]["trains"] - 1, "the optimizer has one weight for both"


def test_a_job_has_the_worker_that_ties(found: Any) -> None:
    """The recipe's workers replace SkyRL's policy and reference; other workers, such as the tests' own, stay."""
    assert found["worker"] == [{"policy": True, "ref": True}, {"policy": False, "ref": False}]


def test_a_reference_of_another_shape_ends_a_job_before_its_first_step(found: Any) -> None:
    """The reference's weights must have the shapes that the policy's workers report."""
    assert found["checked"] == [["policy", "trained_shapes"], ["ref", "check", "shapes"]]


def test_the_export_has_one_weight(found: Any, out: Path) -> None:
    """SkyRL's export loads with tied embeddings, and nothing of the output layer is dropped."""
    check_ties(out)
    again = AutoModelForCausalLM.from_pretrained(out, dtype=torch.float32)
    assert again.lm_head.weight is again.model.embed_tokens.weight
    assert found["kept"]["learned"] > 0


def test_skyrls_own_sharding_separates_them(found: Any) -> None:
    """The fault is there without our worker, whose check refuses such a model with a sentence."""
    assert found["skyrls own"]["apart"] > 0.001
    assert all("SkyRL 0.3.0 has separated them" in told for told in found["skyrls own"]["told"])


def test_other_models_are_left_alone(found: Any) -> None:
    """A model without tied embeddings trains both; an adapter trains neither."""
    assert found["untied"]["apart"] > 0.001
    assert found["adapter"]["apart"] == 0
    assert found["untied"]["told"] == found["adapter"]["told"] == ["", ""]
