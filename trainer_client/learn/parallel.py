"""Arms in processes of their own. A control learns from the rewards of its true arm while that one still trains."""

import logging
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from queue import Queue

import torch

from trainer_client import Client
from trainer_client.learn.codec import CodecEnv
from trainer_client.learn.copying import AliasEnv
from trainer_client.learn.demonstrator import Demonstrator
from trainer_client.learn.experiment import Arm, Hardware, Rewards, Scale, run_arm
from trainer_client.learn.grpo import Settings

Told = Queue[Rewards | None]
"""The rewards of a true arm, update by update, and None at its end."""


@dataclass(frozen=True)
class Assignment:
    """One arm, and the server that it plays on."""

    url: str | None
    seed: int
    reward: str
    scale: Scale
    settings: Settings
    hardware: Hardware
    threads: int
    log: Path
    stage: int = 1


def play_all(jobs: Sequence[Assignment], processes: int) -> list[Arm]:
    """The arms of all jobs, in their order. Each control must come after its true arm, or it waits for ever."""
    context = get_context("spawn")  # CUDA cannot be used in a forked process
    with context.Manager() as manager, ProcessPoolExecutor(processes, mp_context=context) as pool:
        told: dict[int, Told] = {job.seed: manager.Queue() for job in jobs}
        running = [pool.submit(play, job, told[job.seed]) for job in jobs]
        return [one.result() for one in running]


def play(job: Assignment, told: Told) -> Arm:
    """Play one arm: a true one puts its rewards into `told`, and a control reads them there."""
    torch.set_num_threads(job.threads)
    log_to(job.log)
    with Client(job.url, connect_patience_s=60) as client:
        run = f"learn-{job.stage}-{job.reward}-{job.seed}-{time.time_ns()}"
        env = CodecEnv(client, run) if job.stage == 1 else AliasEnv(client, run)
        actor = env.demonstrator if isinstance(env, AliasEnv) else Demonstrator
        play_it = partial(run_arm, env, job.seed, job.scale, job.settings, job.hardware, actor=actor)
        if job.reward != "true":
            return play_it(given=_read(told))
        try:
            return play_it(tell=told.put)
        finally:
            told.put(None)  # also if it failed, so that its control does not wait for ever


def log_to(path: Path) -> None:
    """Log from this process to the terminal and to the end of a file."""
    handlers: list[logging.Handler] = [logging.StreamHandler(), logging.FileHandler(path, encoding="utf-8")]
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", handlers=handlers, force=True)
    logging.getLogger("httpx2").setLevel(logging.WARNING)


def _read(told: Told) -> Iterator[Rewards]:
    while (rewards := told.get()) is not None:
        yield rewards
    raise RuntimeError("the true arm, whose rewards this control gets, ended before its last update")
