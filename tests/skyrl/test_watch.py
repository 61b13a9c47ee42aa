"""The callbacks that halt a job: they save a checkpoint, unless the weights may be spoiled, and say why."""

import asyncio
import math
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import pytest
from loguru import logger
from skyrl.backends.skyrl_train.inference_servers.remote_inference_client import RemoteInferenceClient
from skyrl.train.utils.callbacks import CallbackHandler, CallbackInput, TrainingControl

from tests.e2e.server import free_port
from tests.skyrl.standin.engine import Sampled, serving
from trainer_client.recipes.grpo.health import STALLED, UNASKED, Unhealthy
from trainer_client.recipes.grpo.probe import Probe
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer
from trainer_client.recipes.grpo.watch import HaltJob, MeasureHealth


class Job(AgentEnvTrainer):
    """The part of a trainer that callbacks use; if `colocated`, its engines are on the same GPUs."""

    def __init__(self, versions: Sequence[int], engines: Sequence[str] = (), *, colocated: bool = False) -> None:
        self.inference_engine_client = SimpleNamespace(weight_version=0, server_urls=engines)
        self.versions, self.saved, self.step, self.colocate_all = versions, 0, 0, colocated
        self.done = list[str]()
        health = MeasureHealth(probe=Probe("tiny", [1, 2, 3]))
        self.callbacks = CallbackHandler([health, HaltJob(health)])
        self.callbacks.on_train_start(self, CallbackInput(0, 0, 10, 10), TrainingControl())

    def save_checkpoints(self) -> str:
        """Count."""
        self.saved += 1
        self.done.append("save")
        return f"global_step_{self.step}"

    def log(self, **logs: Any) -> dict[str, Any]:
        """End a step, as SkyRL does, by its own handler."""
        self.step += 1
        self.inference_engine_client.weight_version = self.versions[self.step - 1]
        told = {"trainer/global_step": self.step, **{name.replace("__", "/"): value for name, value in logs.items()}}
        about = CallbackInput(self.step, 0, 10, 10, logs=told)
        try:
            self.callbacks.on_log(self, about, TrainingControl())
        except Unhealthy as halt:
            raise asyncio.run(self.halted(halt)) from None
        return told


def test_a_halt_saves_and_says_why() -> None:
    """The engine's weights stay the same from the second step on, so the job halts."""
    job = Job([1, 2, 2, 2])
    assert job.log()["health/alarms"] == job.log()["health/alarms"] == job.log()["health/alarms"] == 0
    with pytest.raises(Unhealthy, match=r"after step 4: health/steps_without_new_weights is 2.*global_step_4"):
        job.log()
    assert job.saved == 1


class Weights:
    """The weights of an engine: its answer follows from how often they were loaded."""

    def __init__(self) -> None:
        self.loaded, self.asked = 0, list[dict[str, Any]]()

    def sampler(self) -> Callable[..., Sampled]:
        """An engine that has them."""

        def sample(_: str, ids: list[int], params: dict[str, Any]) -> Sampled:
            self.asked.append(params)
            return ids, [-1.0 - self.loaded * 1e-6] * len(ids), "length"

        return sample


def test_an_engine_that_never_loads_weights_halts() -> None:
    """SkyRL's counter advances at every step, and one of two engines loads nothing: the job ends and names it."""
    sound, deaf = Weights(), Weights()
    with ExitStack() as stack:
        urls = [stack.enter_context(serving(each.sampler())) for each in (sound, deaf)]
        job = Job(range(1, 9), urls)
        sound.loaded += 1
        assert job.log(policy__grad_norm=0.5)[STALLED] == 1
        sound.loaded += 1
        with pytest.raises(Unhealthy) as halted:
            job.log(policy__grad_norm=0.5)
    why = f"{STALLED} is 2, >= 2 (the engine at {urls[1]})"
    assert str(halted.value) == f"halted after step 2: {why}; checkpoint: global_step_2"
    assert {params["temperature"] for params in sound.asked + deaf.asked} == {0.0}


def test_engines_that_load_weights_do_not_halt() -> None:
    """Steps that change nothing do not halt a job either, nor an engine that cannot be asked, which is a warning."""
    weights = Weights()
    with serving(weights.sampler()) as url:
        job = Job(range(1, 30), [url])
        for _ in range(4):
            assert job.log(policy__grad_norm=0.0)[STALLED] == 0
        for _ in range(4):
            weights.loaded += 1
            assert job.log(policy__grad_norm=0.5)[STALLED] == 0
    for _ in range(4):
        told = job.log(policy__grad_norm=0.5)
        assert (told[STALLED], told[UNASKED], told["health/alarms"]) == (0, 1, 1)


def test_a_step_without_a_gradient_is_none_without_its_norm() -> None:
    """If the gradient has no limit, SkyRL logs no norm: then equal groups mean no update, and no engine is asked."""
    weights = Weights()
    with serving(weights.sampler()) as url:
        job = Job(range(1, 30), [url])
        for _ in range(4):
            assert job.log(health__mixed_groups=0.0)[STALLED] == 0
        job.log(health__mixed_groups=0.5)
        with pytest.raises(Unhealthy):
            job.log(health__mixed_groups=0.5)


def test_a_checkpoint_that_cannot_be_saved_hides_no_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """The job ends with why it was halted, and says what went wrong with the checkpoint."""
    job = Job(list(range(1, 9)))

    def full() -> str:
        raise OSError("no space left")

    monkeypatch.setattr(job, "save_checkpoints", full)
    with pytest.raises(
        Unhealthy, match=r"policy/policy_kl is 50.*no checkpoint could be saved: OSError: no space left"
    ):
        job.log(policy__policy_kl=50.0)


@contextmanager
def sleeper(done: list[str]) -> Iterator[str]:
    """An engine that takes half a second to fall asleep, and notes it; the address."""

    class Answers(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            time.sleep(0.5)
            done.append(urlsplit(self.path).path.removeprefix("/"))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def silent() -> Iterator[str]:
    """An engine that accepts connections and never answers; the address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


def halted_with(job: Job, *urls: str) -> str:
    """The result of a halt with SkyRL's own client of these engines."""
    job.inference_engine_client = RemoteInferenceClient(urls[0], list(urls), data_parallel_size=1)
    return str(asyncio.run(asyncio.wait_for(job.halted(Unhealthy("why")), 20)))


@pytest.mark.parametrize("colocated", [True, False])
def test_an_engine_on_the_same_gpus_sleeps_before_the_checkpoint(colocated: bool) -> None:
    """Otherwise it holds their memory; an engine on other GPUs is left alone."""
    job = Job([1], colocated=colocated)
    with sleeper(job.done) as url:
        assert halted_with(job, url) == "why; checkpoint: global_step_0"
    assert job.done == (["sleep", "save"] if colocated else ["save"])


@pytest.mark.parametrize("away", [f"http://127.0.0.1:{free_port()}", None], ids=["refuses", "never answers"])
def test_an_engine_that_does_not_sleep_costs_no_checkpoint(away: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine may be gone, which may be why a job halts. The other one sleeps before the checkpoint all the same."""
    monkeypatch.setattr("trainer_client.recipes.grpo.trainer.SLEEP_TIMEOUT_S", 3.0)
    job, warned = Job([1], colocated=True), list[str]()
    sink = logger.add(warned.append, level="WARNING", format="{message}")
    with sleeper(job.done) as url, silent() as mute:
        lost = away or mute
        assert halted_with(job, lost, url) == "why; checkpoint: global_step_0"
    logger.remove(sink)
    assert job.done == ["sleep", "save"]
    assert [told.partition(" was not")[0] for told in warned] == [f"the inference engine at {lost}"]


def test_spoiled_weights_are_not_saved() -> None:
    """The newest checkpoint stays one that can be resumed."""
    job = Job([1])
    with pytest.raises(Unhealthy, match="policy/final_loss is nan; no checkpoint was saved"):
        job.log(policy__final_loss=math.nan)
    assert job.saved == 0


def test_a_warning_does_not_stop() -> None:
    """A warning is counted in the metrics, and the job goes on."""
    job = Job([1])
    assert job.log(policy__policy_kl=3.0)["health/alarms"] == 1
    assert job.saved == 0


@pytest.mark.parametrize(
    ("logs", "steps", "why"),
    [
        ({"policy__policy_entropy": 0.0}, 3, "policy/policy_entropy is 0, < 0.001 for 3 steps"),
        ({"health__mixed_groups": 0.0}, 20, "health/mixed_groups is 0, <= 0 for 20 steps"),
        ({"health__cut_off": 1.0}, 5, "health/cut_off is 1, > 0.95 for 5 steps"),
        ({"policy__policy_kl": 50.0}, 1, "policy/policy_kl is 50, > 20"),
    ],
    ids=["a policy that collapses", "all groups equal", "conversations without end", "a policy that runs away"],
)
def test_planted_faults_halt(logs: dict[str, float], steps: int, why: str) -> None:
    """The job ends at that step and not before, with a checkpoint and the reason."""
    job = Job(list(range(1, 40)))
    for _ in range(steps - 1):
        job.log(**logs)
    with pytest.raises(Unhealthy) as halted:
        job.log(**logs)
    assert str(halted.value) == f"halted after step {steps}: {why}; checkpoint: global_step_{steps}"
    assert job.saved == 1
