"""`python -m trainer_client.learn`: train all arms, write a page and a plot, fail if nothing was learned."""

import argparse
import logging
import platform
import sys
import time
from pathlib import Path

import torch

from trainer_client.learn.experiment import Hardware, Scale, behind, shortfalls
from trainer_client.learn.grpo import Settings
from trainer_client.learn.parallel import Assignment, log_to, play_all
from trainer_client.learn.report import Facts, write, write_copying

SETTINGS = Settings(lr=2e-3, clip_high=0.28, kl=0.03, entropy=0.01, epochs=2)
QUICK = Scale(updates=30, every=10)
COPYING = Settings(lr=1e-3, clip_high=0.28, kl=0.01, entropy=0.002, epochs=2)
COPYING_SCALE = Scale(demonstrations=500, clone_steps=800, forget=0.3, updates=40, prompts=12, every=10, times=1)
PAGES = {1: Path("docs/learning.md"), 2: Path("docs/learning_copying.md")}


def main() -> None:
    """Read the options, run, report."""
    parser = argparse.ArgumentParser(prog="python -m trainer_client.learn", description=__doc__)
    parser.add_argument("--url", action="append", help="a server; given several times, the arms are spread over them")
    parser.add_argument("--quick", action="store_true", help="one seed and few updates: a trial, not the proof")
    parser.add_argument("--stage", type=int, default=1, choices=(1, 2), help="2: any tool, and values that are copied")
    parser.add_argument("--updates", type=int, help="updates of each arm")
    parser.add_argument("--seeds", type=int, help="how many seeds")
    parser.add_argument("--first-seed", type=int, default=1, help="the first of them; the others follow it")
    parser.add_argument("--jobs", type=int, default=1, help="how many arms train at once, each in its own process")
    parser.add_argument("--device", default="cpu", help="where the policy computes: cpu or cuda")
    parser.add_argument(
        "--dtype", default="float32", choices=("float32", "bfloat16"), help="the type of the policy's products"
    )
    parser.add_argument(
        "--lora", type=int, default=0, metavar="RANK", help="train an adapter of this rank after cloning"
    )
    parser.add_argument("--threads", type=int, default=1, help="threads of torch in each process")
    parser.add_argument("--out", type=Path, help="the page to write")
    parser.add_argument("--log", type=Path, default=Path("build/learn.log"), help="where the lines of the run go, too")
    parser.add_argument("--commit", default="unknown", help="the commit that the page names")
    options = parser.parse_args()
    scale, settings = (
        (QUICK if options.quick else Scale(), SETTINGS) if options.stage == 1 else (COPYING_SCALE, COPYING)
    )
    if options.updates is not None:
        scale = Scale(**{**vars(scale), "updates": options.updates})
    seeds = options.seeds or (1 if options.quick or options.stage == 2 else 3)
    hardware = Hardware(options.device, options.dtype, options.lora)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    options.log.unlink(missing_ok=True)
    log_to(options.log)
    logging.info("commit %s, %s, torch %s, %s", options.commit, _name(options.device), torch.__version__, hardware)
    logging.info("%s %s, %d processes", scale, settings, options.jobs)
    urls, began = options.url or [None], time.monotonic()
    wanted = [
        (seed, reward)
        for seed in range(options.first_seed, options.first_seed + seeds)
        for reward in ("true", "control")
    ]
    jobs = [
        Assignment(
            urls[i % len(urls)], seed, reward, scale, settings, hardware, options.threads, options.log, options.stage
        )
        for i, (seed, reward) in enumerate(wanted)
    ]
    arms = play_all(jobs, options.jobs)
    missed = shortfalls(arms) if options.stage == 1 else behind(arms)
    if options.stage == 1 and not options.quick and seeds < 3:
        missed.append(f"only {seeds} of 3 seeds were run")
    how = f"{_name(options.device)}, {options.dtype}, {options.jobs} arms at a time, torch {torch.__version__}"
    writes = write if options.stage == 1 else write_copying
    writes(
        options.out or PAGES[options.stage], arms, scale, Facts(options.commit, time.monotonic() - began, how), missed
    )
    logging.info("%.0f seconds; %s", time.monotonic() - began, "; ".join(missed) or "all aims are met")
    sys.exit("\n".join(missed) if missed else 0)


def _name(device: str) -> str:
    """What a reader calls the device."""
    return f"one {torch.cuda.get_device_name()}" if device.startswith("cuda") else f"a processor ({platform.machine()})"


if __name__ == "__main__":
    main()
