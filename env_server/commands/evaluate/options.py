"""The options of `eval`. All of them are checked before an episode is played."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace

from pydantic import ValidationError

from agent_env_schemas import TaskSummary, UserStrategy
from env_server.commands.output import fail
from env_server.evals.plan import FORMATS, PlannedEpisode, Run, Spec
from env_server.evals.policy import ChosenPolicy
from env_server.models.config import normal_url
from env_server.policies import BASELINES, Brief, Policy
from env_server.settings import Settings


@dataclass(frozen=True, slots=True)
class EvalOptions:
    """The options as they were typed."""

    domain: str
    pack: str
    split: str
    policy: str
    limit: int | None
    trials: int
    seed: int
    user: str | None
    user_model: str | None
    max_turns: int
    format: str
    temperature: float | None
    policy_url: str | None
    policy_key: str | None = field(repr=False)
    tools_mode: str | None
    tag: str | None
    url: str | None
    key: str | None = field(repr=False)
    run: str | None
    out: str | None
    html: str | None
    concurrency: int

    @property
    def chosen(self) -> ChosenPolicy:
        """Return the policy that plays."""
        return ChosenPolicy(self.policy, self.policy_url, self.policy_key)

    def refuse_contradictions(self, settings: Settings) -> None:
        """End the program with a message if the options cannot work together."""
        self._refuse_unreadable()
        try:
            self.chosen.check(settings)
        except ValueError as e:
            fail(str(e))
        if self.format not in FORMATS:
            fail(f"--format: no format {self.format!r}; there are: {', '.join(FORMATS)}")
        if self.chosen.model is not None and self.user == UserStrategy.EXTERNAL:
            fail("--user external: nobody plays the user in this command; choose --user llm, or another strategy")
        if self.tag is not None and self.tools_mode in (None, "live"):
            fail("--tag names recordings: say with --tools-mode what to do with them")
        try:
            spec = self.spec("any")
        except ValueError:  # the message omits the typed URL, which may hold a password
            fail("--url is not the address of a server: write http://HOST:PORT, and give its key with --key")
        _refuse_requests(spec, self.run or spec.name)

    def _refuse_unreadable(self) -> None:
        """End the program if an option holds surrogates, as a terminal in another encoding sends them.

        They cannot be stored.
        """
        for option in fields(self):
            value = getattr(self, option.name)
            if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
                fail(f"--{option.name.replace('_', '-')} is not a text in UTF-8")

    def spec(self, pack_version: str) -> Spec:
        """Return the part of the options that decides what is played.

        Raises:
            ValueError: if the server's address is not a URL.
        """
        spec = Spec(
            domain=self.domain,
            pack=self.pack,
            pack_version=pack_version,
            split=self.split,
            policy=self.policy,
            limit=self.limit,
            trials=self.trials,
            seed=self.seed,
            user=self.user,
            user_model=self.user_model,
            max_turns=self.max_turns,
            tools_mode=self.tools_mode,
            tag=self.tag,
            server=None if self.url is None else normal_url(self.url),
        )
        if self.chosen.model is None:
            return spec
        where = normal_url(self.chosen.base_url)
        return replace(spec, format=self.format, temperature=self.temperature, policy_url=where)

    def rule(self) -> Callable[[Brief], Policy] | None:
        """Return the factory of the policy if it is a rule, else None."""
        return BASELINES.get(self.policy)


def _refuse_requests(spec: Spec, name: str) -> None:
    """Build the reset requests of the first and the last trial, and end the program if one is invalid."""
    for trial in {0, spec.trials - 1}:
        task = TaskSummary(task_id="any", split=spec.split, template=None, difficulty=None)
        try:
            PlannedEpisode(task, trial).request(Run(name, spec, ""))
        except ValidationError as e:
            fail("; ".join(_said(error["loc"], error["msg"], spec) for error in e.errors()))


def _said(where: tuple[int | str, ...], message: str, spec: Spec) -> str:
    """Return the message about a field of the reset, under the name of the option that sets it."""
    if where[0] == "seed":
        return f"--seed: trial t plays with seed + t, up to {spec.seed + spec.trials - 1}; {message.lower()}"
    option = {"strategy": "user", "model": "user-model", "mode": "tools-mode"}.get(str(where[-1]), str(where[0]))
    return f"--{option}: {message.lower()}"
