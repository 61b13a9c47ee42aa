"""What goes wrong in a run, and when: decided by the seed before anything runs, or drawn as it goes."""

import random
from dataclasses import dataclass, field

MOST_KILLS = 4


@dataclass
class Weather:
    """How bad things are. Probabilities are for each request."""

    lost_request: float
    lost_answer: float
    duplicate: float
    cut_off: float
    slow_s: float
    """The longest time that a message is on its way."""

    kills_at_commits: dict[int, str] = field(default_factory=dict)
    """Number of a commit, counted over the whole run -> `before` or `after` it."""

    kills_at_callbacks: set[int] = field(default_factory=set)
    """Numbers of callbacks, of all processes, before which the process is killed."""

    pauses_at_commits: set[int] = field(default_factory=set)
    """Numbers of commits after which the process gets no time for longer than a claim lasts."""

    slow_commit: float = 0.0
    """Probability that a commit takes up to a second."""

    events: list[tuple[float, str]] = field(default_factory=list)
    """(virtual time, what happens)."""

    @classmethod
    def pausing(cls, rng: random.Random) -> "Weather":
        """Draw a run in which nothing is lost, and processes are paused in the middle of turns."""
        weather = cls(0.0, 0.0, 0.0, 0.0, slow_s=0.2)
        weather.pauses_at_commits = {rng.randint(5, 80) for _ in range(12)}
        return weather

    @classmethod
    def of(cls, rng: random.Random) -> "Weather":
        """Draw the weather of a run. Some runs are quiet, and some have one kind of trouble."""
        bad = rng.choice([0.0, 0.05, 0.2])
        lost_request, lost_answer, duplicate, cut_off = (rng.choice([0.0, bad]) for _ in range(4))
        weather = cls(lost_request, lost_answer, duplicate, cut_off, slow_s=rng.choice([0.01, 0.2, 3.0]))
        for _ in range(rng.randint(0, MOST_KILLS)):
            weather.kills_at_commits[int(rng.lognormvariate(3.0, 0.7))] = rng.choice(["before", "after"])
        for _ in range(rng.randint(0, MOST_KILLS)):
            weather.kills_at_callbacks.add(int(rng.lognormvariate(6.5, 1.0)))
        weather.slow_commit = rng.choice([0.0, 0.0, 0.1])
        kinds = rng.sample(["full", "locked", "pause", "long pause", "clock", "stop"], rng.randint(0, 4))
        weather.events = sorted((rng.uniform(0.5, 40), kind) for kind in kinds for _ in range(rng.randint(1, 2)))
        return weather
