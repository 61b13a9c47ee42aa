"""A reference that follows the policy, by the workers' own methods in two processes that share the models."""

import json
import subprocess
import sys
from pathlib import Path

from tests.e2e.server import free_port
from tests.skyrl.running import ENVIRONMENT


def test_a_reference_follows_the_policy(model: Path, tmp_path: Path) -> None:
    """It ends where the moves lead, for all weights or an adapter, though one move may be less than a rounding.

    A worker that loads its checkpoint has the same weights. A policy that it cannot follow is refused.
    """
    port = str(free_port())
    command = [sys.executable, "-m", "tests.skyrl.standin.moving"]
    running = [
        subprocess.Popen(
            [*command, str(rank), port, str(model), str(tmp_path)], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        )
        for rank in range(2)
    ]
    told = [each.communicate(timeout=600)[0] for each in running]
    assert [each.returncode for each in running] == [0, 0]
    found = json.loads(told[0].splitlines()[-1])
    print(found)
    for how in ("all", "adapter"):
        assert found[how]["off"] < 1e-3
        assert found[how]["went"] > 2 * found[how]["first"] > 0, "small moves add up"
        assert found[how]["exact"], "weights that are not trained are not kept twice"
        assert found[how]["resumed"]
        assert found[how]["shapes"], "what is checked before the first step is what is written later"
        assert found[how]["wider"].startswith(
            "the reference is another model than the policy: it has model.layers.0.mlp"
        )
        assert found[how]["wider"].endswith("of shape (128, 64), not (129, 64)")
        assert found[how]["other"] == "the reference is another model than the policy: it has no other.weight"
    assert found["unmerged"]["nothing"] == ""
    for what, trains in {"embeddings": "embed_tokens.lora_embedding_A", "norm": "norm.modules_to_save"}.items():
        assert "the reference cannot follow an adapter that trains" in found["unmerged"][what]
        assert trains in found["unmerged"][what]
