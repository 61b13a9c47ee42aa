"""Everything that can be known before a job runs: its settings, its data, the server, the lengths of its prompts."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2

from schemas import CLOSE_INFRASTRUCTURE
from trainer_client.client import Client
from trainer_client.errors import ServerError
from trainer_client.pool import ServerSettings
from trainer_client.recipes.grpo.settings import BadSettings, Settings, checked, value
from trainer_client.row import opening, reset_options

OK, FAILED, UNCHECKED = "ok", "failed", "not checked"
COLUMNS = ("data_source", "prompt", "env_class", "extra_info")

Row = Mapping[str, Any]


class Unchecked(Exception):
    """Something that cannot be checked here; the message says why."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one check."""

    check: str
    verdict: str
    detail: str


@dataclass
class DryRun:
    """The checks of a job, in order; later ones use what earlier ones found."""

    settings: Settings
    key: str | None = None
    rows: dict[str, list[Row]] = field(default_factory=dict)
    openings: dict[str, list[dict[str, Any]]] = field(default_factory=dict)

    def findings(self) -> Iterator[Finding]:
        """Make every check, also when an earlier one failed."""
        checks: dict[str, Callable[[], str]] = {
            "settings": self.settings_are_known,
            "SkyRL's settings": self.skyrl_agrees,
            "data": self.data_is_readable,
            "server": self.server_answers,
            "episodes": self.episodes_begin,
            "prompt lengths": self.prompts_fit,
            "model": self.model_is_safe,
            "plan": self.plan,
        }
        for name, check in checks.items():
            try:
                yield Finding(name, OK, check())
            except Unchecked as why:
                yield Finding(name, UNCHECKED, str(why))
            except Exception as error:
                yield Finding(name, FAILED, f"{type(error).__name__}: {error}")

    def settings_are_known(self) -> str:
        """Our own schema."""
        checked(self.settings)
        return f"{len(self.settings)} settings"

    def skyrl_agrees(self) -> str:
        """SkyRL's schema and its `validate_cfg`."""
        try:
            from skyrl.train.utils import validate_cfg  # noqa: PLC0415

            from trainer_client.recipes.grpo.config import skyrl_config  # noqa: PLC0415
        except ImportError as missing:
            raise Unchecked(f"SkyRL is not installed ({missing}): names and values beyond our own section") from None
        validate_cfg(skyrl_config(self.settings))
        return "validate_cfg passes"

    def data_is_readable(self) -> str:
        """The files are there, with rows that name tasks."""
        for part in ("train", "val"):
            paths = value(self.settings, f"data.{part}_data") or []
            self.rows[part] = [row for path in ([paths] if isinstance(paths, str) else paths) for row in rows_of(path)]
        every = [row for rows in self.rows.values() for row in rows]
        if not self.rows["train"]:
            raise BadSettings("data.train_data: no rows")
        for row in every:
            if missing := [name for name in COLUMNS if name not in row]:
                raise BadSettings(f"a row lacks the columns {', '.join(missing)}")
            reset_options(row, 1)
        return f"{len(self.rows['train'])} rows to train on, {len(self.rows['val'])} to evaluate on"

    def server_answers(self) -> str:
        """The server is there, takes the key, and hosts the domains of the rows."""
        with self._client() as client:
            hosted = {domain.name for domain in client.domains().domains}
        needed = {reset_options(row, 1)["domain"] for rows in self.rows.values() for row in rows}
        if missing := needed - hosted:
            raise BadSettings(f"the server does not host {', '.join(sorted(missing))}")
        return f"{self._ours().url} hosts {', '.join(sorted(needed))}"

    def episodes_begin(self) -> str:
        """One episode for each kind of row begins, and is closed."""
        kinds = {kind(row): row for rows in self.rows.values() for row in rows}
        if not kinds:
            raise Unchecked("there are no rows")
        turns, role = int(value(self.settings, "generator.max_turns")), self._ours().observation_role
        for name, row in kinds.items():
            try:
                with self._client() as client:
                    episode = client.reset(**{**reset_options(row, turns), "observation_role": role})
                    client.close_episode(episode.id, CLOSE_INFRASTRUCTURE)
            except (ServerError, httpx2.TransportError) as error:
                raise BadSettings(f"{name}: {error}") from error
            if episode.awaiting_user:
                raise BadSettings(f"{name}: its user is external, and a trainer cannot speak for them")
            self.openings[name] = opening(row["prompt"], episode.messages)
        return f"one of each kind: {'; '.join(kinds)}"

    def prompts_fit(self) -> str:
        """Rows pass SkyRL's filter, and what an episode begins with leaves room for turns."""
        tokenizer, kwargs = self._tokenizer(), value(self.settings, "generator.chat_template_kwargs") or {}

        def size(messages: Any) -> int:
            return len(tokenizer.apply_chat_template(messages, add_generation_prompt=True, return_dict=False, **kwargs))

        limit, room = value(self.settings, "trainer.max_prompt_length"), self.settings["generator.max_input_length"]
        sizes = [size(row["prompt"]) for row in self.rows["train"]]
        fitting = sum(n <= limit for n in sizes)
        needed = value(self.settings, "trainer.train_batch_size")
        if fitting < needed:
            raise BadSettings(
                f"{fitting} of {len(sizes)} rows fit trainer.max_prompt_length={limit}; a batch is {needed}"
            )
        begun = max((size(messages) for messages in self.openings.values()), default=0)
        if begun > room:
            raise BadSettings(f"a conversation begins with {begun} tokens, generator.max_input_length is {room}")
        dropped = len(sizes) - fitting
        rows = f"rows have up to {max(sizes)} tokens of {limit}, {dropped} are too long"
        return f"{rows}; conversations begin with {begun} of {room}"

    def model_is_safe(self) -> str:
        """The embeddings are not tied where all weights are trained."""
        if value(self.settings, "trainer.policy.model.lora.rank"):
            return "LoRA leaves the embeddings alone"
        if _transformers().AutoConfig.from_pretrained(self._model()).tie_word_embeddings:
            raise BadSettings("its embeddings are tied, and SkyRL 0.3.0 separates them: use LoRA, or another model")
        return "its embeddings are not tied"

    def plan(self) -> str:
        """What would run."""

        def get(name: str) -> Any:
            return value(self.settings, name)

        batch, samples, rows = (
            get("trainer.train_batch_size"),
            get("generator.n_samples_per_prompt"),
            self.rows["train"],
        )
        steps = get("trainer.epochs") * (len(rows) // batch)
        steps = min(steps, get("trainer.max_training_steps") or steps)
        workers = get("environment.skyrl_gym.max_env_workers")
        return (
            f"{steps} steps of {batch} prompts x {samples} episodes of up to {get('generator.max_turns')} turns, "
            f"{workers} at a time; {len(self.rows['val'])} prompts evaluated every {get('trainer.eval_interval')} steps"
        )

    def _ours(self) -> ServerSettings:
        return checked(self.settings)

    def _client(self) -> Client:
        ours = self._ours()
        return Client(ours.url, ours.key or self.key, timeout_s=ours.timeout_s, patience_s=0)

    def _model(self) -> str:
        return str(self.settings["trainer.policy.model.path"])

    def _tokenizer(self) -> Any:
        try:
            return _transformers().AutoTokenizer.from_pretrained(self._model())
        except OSError as error:
            raise Unchecked(f"the tokenizer of {self._model()} cannot be loaded here: {str(error)[:100]}") from error


def kind(row: Row) -> str:
    """What rows that begin alike have in common."""
    options = reset_options(row, 1)
    user = (options.get("user") or {}).get("strategy", "the task's")
    return f"{options['domain']}/{options.get('pack', 'builtin')}, user {user}"


def rows_of(path: str) -> list[Row]:
    """The rows of a Parquet, JSON lines or JSON file.

    Raises:
        Unchecked: if it is Parquet and pyarrow is not installed, or names a data set on a hub.
    """
    file = Path(path)
    if file.suffix == ".parquet":
        try:
            from pyarrow import parquet  # noqa: PLC0415
        except ImportError:
            raise Unchecked(f"pyarrow is not installed: {path}") from None
        rows: list[Row] = parquet.read_table(file).to_pylist()
        return rows
    if file.suffix == ".jsonl":
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    if file.suffix == ".json":
        found: list[Row] = json.loads(file.read_text(encoding="utf-8"))
        return found
    raise Unchecked(f"{path} is no local file")


def _transformers() -> Any:
    try:
        import transformers  # noqa: PLC0415
    except ImportError:
        raise Unchecked("transformers is not installed") from None
    return transformers
