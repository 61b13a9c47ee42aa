"""`python -m trainer_client.learn`: train all arms, write a page and a plot, fail if nothing was learned."""

import argparse
import sys
import time
from pathlib import Path

import torch

from trainer_client import Client
from trainer_client.learn.codec import CodecEnv
from trainer_client.learn.experiment import Scale, run_arm, shortfalls
from trainer_client.learn.grpo import Settings
from trainer_client.learn.report import write

SETTINGS = Settings(lr=2e-3, clip_high=0.28, kl=0.002, entropy=0.01, epochs=2)
QUICK = Scale(updates=30, every=10)


def main() -> None:
    """Read the options, run, report."""
    parser = argparse.ArgumentParser(prog="python -m trainer_client.learn", description=__doc__)
    parser.add_argument("--url", help="the server; by default ENV_SERVER_URL")
    parser.add_argument("--quick", action="store_true", help="one seed and few updates: a trial, not the proof")
    parser.add_argument("--updates", type=int, help="updates of each arm")
    parser.add_argument("--seeds", type=int, help="how many seeds")
    parser.add_argument("--threads", type=int, default=1, help="threads of torch")
    parser.add_argument("--out", type=Path, default=Path("docs/learning.md"), help="the page to write")
    parser.add_argument("--commit", default="unknown", help="the commit that the page names")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    scale = QUICK if options.quick else Scale()
    if options.updates is not None:
        scale = Scale(**{**vars(scale), "updates": options.updates})
    seeds = options.seeds or (1 if options.quick else 3)
    began, arms = time.monotonic(), []
    with Client(options.url, connect_patience_s=60) as client:
        for seed in range(1, seeds + 1):
            true = None
            for reward in ("true", "random"):
                env = CodecEnv(client, f"learn-{reward}-{seed}-{time.time_ns()}")
                true = run_arm(env, seed, scale, SETTINGS, true)
                arms.append(true)
    missed = shortfalls(arms)
    if not options.quick and seeds < 3:
        missed.append(f"only {seeds} of 3 seeds were run")
    write(options.out, arms, scale, options.commit, time.monotonic() - began, missed)
    sys.exit("\n".join(missed) if missed else 0)


if __name__ == "__main__":
    main()
