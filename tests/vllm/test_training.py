"""SkyRL's real trainer with LoRA and a real vLLM: it learns, exports what vLLM serves, and survives kills."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from peft import PeftModel
from transformers import AutoModelForCausalLM

from tests.e2e.server import Server
from tests.skyrl.running import GREETING, RUN, bounced, check_records
from tests.skyrl.tiny import NAMES, SYSTEM
from tests.vllm.engine import CLOSE, Vllm, kill_group
from tests.vllm.jobs import MOVES, ROWS, SAMPLES, STEPS, Job
from trainer_client.cli import DONE, main
from trainer_client.recipes.grpo.health import STALLED

Begin = Callable[[str], Job]


@pytest.fixture(scope="module")
def begin(
    tmp_path_factory: pytest.TempPathFactory, ray: str, model: Path, vllm: Vllm, server: Server
) -> Begin:  # fmt: skip
    """Makes a job of a name."""
    return lambda run: Job(run, tmp_path_factory.mktemp(run), ray, model, vllm, server.url)


@pytest.fixture(scope="module")
def learned(begin: Begin, server: Server) -> Job:
    """A job that ran to its end, while the server was killed and started again."""
    job, stop, killed = begin(RUN), threading.Event(), threading.Event()
    killer = threading.Thread(target=bounced, args=(server, stop, killed))
    killer.start()
    began = time.monotonic()
    status = job.trained()
    stop.set()
    killer.join()
    assert status == 0, job.log[-6000:]
    assert killed.is_set()
    print(f"{time.monotonic() - began:.0f} s; rewards {[round(e['reward/avg_raw_reward'], 2) for e in job.steps()]}")
    return job


def test_it_learns(learned: Job, server: Server) -> None:
    """The reward rises, vLLM samples what is trained, and a killed server costs no rollout and plays none twice."""
    steps = learned.steps()
    assert [entry["step"] for entry in steps] == list(range(1, STEPS + 1))
    rewards = [entry["reward/avg_raw_reward"] for entry in steps]
    assert sum(rewards[-8:]) / 8 > sum(rewards[:4]) / 4 + 0.1
    assert max(entry["policy/rollout_train_logprobs_abs_diff_mean"] for entry in steps) < CLOSE
    assert sum(entry["environment/lost_rollouts"] for entry in steps) == 0
    assert {entry[STALLED] for entry in steps} == {0.0}, "vLLM has new weights after each step, and says so"
    evaluations = len(list((learned.folder / "export/dumped_evals").iterdir()))
    check_records(server, STEPS * ROWS // 4 * SAMPLES + evaluations * ROWS, 0)


def test_the_reference_follows_the_adapter(learned: Job) -> None:
    """The KL divergence falls where the reference moves towards the model with the adapter merged into it."""
    kl = [entry["policy/policy_kl"] for entry in learned.steps()]
    print("KL to the reference", [round(each, 4) for each in kl])
    for moved in range(MOVES, STEPS, MOVES):
        assert kl[moved] < kl[moved - 1]


def test_the_exported_adapter_is_what_vllm_serves(
    learned: Job, model: Path, vllm: Vllm, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exported and trained adapter make vLLM say the same, as transformers does; the base says something else."""
    out = learned.folder / "out"
    assert main(["export", str(learned.folder / "ckpt"), "--out", str(out), "--json"]) == DONE
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["change"] > 0
    vllm.load("exported", out / "adapter")
    plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
    tuned = PeftModel.from_pretrained(plain, out / "adapter").eval()
    changed = 0.0
    for ids in prompts(model):
        tokens, served = vllm.says("exported", ids)
        again, trained = vllm.says("skyrl-lora", ids)
        assert again == tokens
        assert trained == pytest.approx(served, abs=CLOSE)
        assert logprobs(tuned, ids, tokens) == pytest.approx(served, abs=CLOSE)
        with tuned.disable_adapter():
            base = logprobs(tuned, ids, tokens)
        changed = max(changed, *(abs(one - other) for one, other in zip(base, served, strict=True)))
    assert changed > 0.1


def test_a_killed_trainer_and_a_killed_engine(begin: Begin, learned: Job, vllm: Vllm) -> None:
    """After each kill the same command goes on, with the rows of an unbroken job. The log tells the engine's end."""
    job = begin("broken")
    with job.begun() as running:
        wait_for(lambda: job.saved() >= 2, running)
        kill_group(running)
    reached = job.saved()
    assert 2 <= reached < STEPS
    with job.begun() as running:
        wait_for(lambda: job.saved() >= reached + 2, running)
        vllm.kill()
        assert running.wait(timeout=600) != 0
    assert job.saved() < STEPS
    assert f"the inference engine at {vllm.url} does not answer" in job.log
    vllm.start()
    assert job.trained() == 0, job.log[-6000:]
    wanted = {step: rows for step, (rows,) in learned.rows().items()}
    assert {step: played[-1] for step, played in job.rows().items()} == wanted
    assert all(rows == wanted[step] for step, played in job.rows().items() for rows in played)
    assert job.saved() == STEPS


def wait_for(reached: Callable[[], bool], running: Any) -> None:
    """Wait until the job has come so far."""
    until = time.monotonic() + 600
    while not reached():
        assert running.poll() is None
        assert time.monotonic() < until
        time.sleep(0.1)


def prompts(model: Path) -> list[list[int]]:
    """What callers say, as token ids."""
    from transformers import AutoTokenizer  # noqa: PLC0415 -- slow

    tokenizer = AutoTokenizer.from_pretrained(model)
    said = [[*SYSTEM, {"role": "user", "content": GREETING.format(line)}] for line in NAMES]
    return [tokenizer.apply_chat_template(one, add_generation_prompt=True, return_dict=False) for one in said]


def logprobs(model: Any, ids: list[int], tokens: list[int]) -> list[float]:
    """The log probability of each token after `ids`."""
    with torch.no_grad():
        odds = model(input_ids=torch.tensor([ids + tokens])).logits[0].float().log_softmax(-1)
    return [odds[len(ids) - 1 + i, token].item() for i, token in enumerate(tokens)]
