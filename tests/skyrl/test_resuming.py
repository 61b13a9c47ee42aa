"""Resuming a job: the order of the rows, and the number of steps, are those of a job without a break."""

import asyncio
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest
from skyrl.train.trainer import RayPPOTrainer
from skyrl.train.utils.callbacks import CallbackHandler, TrainingControl
from skyrl.train.utils.trainer_utils import ResumeMode

from trainer_client.recipes.grpo.config import skyrl_config
from trainer_client.recipes.grpo.settings import read
from trainer_client.recipes.grpo.trainer import AgentEnvTrainer, OrderOfRows, ResumeError, StepsMissing

ROWS, BATCH, EPOCHS = 10, 3, 3
PER_EPOCH = ROWS // BATCH


class Rows:
    """A data set of numbers, of two difficulties."""

    grades: ClassVar = [n % 2 for n in range(ROWS)]

    def __len__(self) -> int:
        return ROWS

    def __getitem__(self, place: int) -> int:
        return place

    def collate_fn(self, rows: list[int]) -> list[int]:
        """A batch."""
        return rows


def trainer(folder: Path, kind: type[RayPPOTrainer] = AgentEnvTrainer, **settings: Any) -> Any:
    """A trainer with SkyRL's real data loader and checkpoints, and without models."""
    job = [f"trainer.train_batch_size={BATCH}", f"trainer.epochs={EPOCHS}", f"trainer.ckpt_path={folder}"]
    job += ["trainer.resume_mode=latest", "trainer.run_name=mine", "data.dataloader.num_workers=0"]
    job += [f"{name}={given}" for name, given in settings.items()]
    made = object.__new__(kind)
    made.cfg = skyrl_config(read([], [], job))
    made.resume_mode, made.global_step = ResumeMode.LATEST, 0
    made.train_dataset = Rows()
    made._build_train_dataloader_and_compute_training_steps()
    nothing = lambda *_, **__: None  # noqa: E731 -- a model has nothing to save here
    made.dispatch = SimpleNamespace(save_checkpoint=nothing, load_checkpoint=nothing)
    made.all_timings, made._cleanup_old_checkpoints = {}, nothing
    made._callback_handler, made._training_control = CallbackHandler(), TrainingControl()
    if kind is AgentEnvTrainer:
        made.add_callback(OrderOfRows())
    made.tokenizer = made.critic_model = None
    made.ref_model = None
    return made


def played(job: Any, first: int, last: int) -> Iterator[list[int]]:
    """The rows of steps `first` to `last`, in SkyRL's loop over epochs; the last step writes a checkpoint."""
    job.global_step = first
    for job._current_epoch in range((first - 1) // PER_EPOCH, EPOCHS):
        job._fire("on_epoch_start")
        for rows in job.train_dataloader:
            yield rows
            if job.global_step == last:
                job.save_checkpoints()
                return
            job.global_step += 1


@pytest.mark.parametrize("order", ["shuffled", "difficulty"])
@pytest.mark.parametrize("killed_after", range(1, PER_EPOCH * EPOCHS))
def test_the_order_of_rows_survives_a_break(tmp_path: Path, killed_after: int, order: str) -> None:
    """After a break at any step, also at the end of an epoch, the rows are those of a job without a break."""
    wish: dict[str, Any] = {"environment.skyrl_gym.agent_env.order": order}
    whole = list(played(trainer(tmp_path / "whole", **wish), 1, PER_EPOCH * EPOCHS))
    assert len({tuple(map(tuple, whole[i : i + PER_EPOCH])) for i in range(0, len(whole), PER_EPOCH)}) == EPOCHS
    before = list(played(trainer(tmp_path / "broken", **wish), 1, killed_after))
    again = trainer(tmp_path / "broken", **wish)
    step, _ = again.load_checkpoints()
    assert step == killed_after
    assert before + list(played(again, step + 1, PER_EPOCH * EPOCHS)) == whole


def test_easy_rows_come_first(tmp_path: Path) -> None:
    """Every epoch begins with easy rows, in a new order within a difficulty. No row is left out of all epochs."""
    wish: dict[str, Any] = {"environment.skyrl_gym.agent_env.order": "difficulty"}
    whole = list(played(trainer(tmp_path, **wish), 1, PER_EPOCH * EPOCHS))
    epochs = [list(chain(*whole[i : i + PER_EPOCH])) for i in range(0, len(whole), PER_EPOCH)]
    assert len(epochs) == EPOCHS
    for rows in epochs:
        assert [Rows.grades[row] for row in rows] == sorted(Rows.grades[row] for row in rows)
        assert len(set(rows)) == PER_EPOCH * BATCH
    assert set().union(*epochs) == set(range(ROWS))


def test_skyrl_skips_an_epoch(tmp_path: Path) -> None:
    """The defect is SkyRL's: without this package an epoch has no rows after a break at its beginning."""
    list(played(trainer(tmp_path, RayPPOTrainer), 1, PER_EPOCH))
    again = trainer(tmp_path, RayPPOTrainer)
    again.load_checkpoints()
    assert len(list(played(again, PER_EPOCH + 1, PER_EPOCH * EPOCHS))) == PER_EPOCH * (EPOCHS - 2)


def test_a_position_that_is_lost_is_an_error(tmp_path: Path) -> None:
    """SkyRL warns and begins the data again; at the end of an epoch that would play its rows twice."""
    list(played(trainer(tmp_path), 1, PER_EPOCH))
    (tmp_path / f"global_step_{PER_EPOCH}" / "data.pt").unlink()
    with pytest.raises(ResumeError, match="ends an epoch"):
        trainer(tmp_path).load_checkpoints()


@pytest.fixture
def saved(monkeypatch: pytest.MonkeyPatch) -> None:
    """The workers of the reference write nothing but a folder."""

    def all_of(_: Any, method: str, folder: str) -> None:
        if method == "save_exact":
            Path(folder).mkdir(parents=True)

    monkeypatch.setattr("trainer_client.recipes.grpo.trainer._all", all_of)


def moving(every: int, decay: float) -> dict[str, Any]:
    """The settings of a reference that moves."""
    own = "environment.skyrl_gym.agent_env"
    return {f"{own}.reference_every": every, f"{own}.reference_decay": decay}


@pytest.mark.usefixtures("saved")
@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ((2, 0.9), (0, 0.9), "reference_every=2 and reference_decay=0.9, and this job has reference_every=0 and"),
        ((0, 0.9), (2, 0.9), "has no reference that has moved, as it would with reference_every=2"),
        ((2, 0.9), (5, 0.9), "reference_every=2 and reference_decay=0.9, and this job has reference_every=5 and"),
        ((2, 0.9), (4, 0.9), "reference_every=2 and reference_decay=0.9, and this job has reference_every=4 and"),
        ((2, 0.9), (2, 0.5), "decay=0.9, and this job has reference_every=2 and reference_decay=0.5; set both"),
    ],
)
def test_another_reference_is_an_error(
    tmp_path: Path, before: tuple[int, float], after: tuple[int, float], told: str
) -> None:
    """A job whose reference has moved can be resumed only by a job whose reference moves alike."""
    list(played(trainer(tmp_path, **moving(*before)), 1, 4))
    assert (tmp_path / "global_step_4/reference").exists() == bool(before[0])
    with pytest.raises(ResumeError, match=told):
        trainer(tmp_path, **moving(*after)).load_checkpoints()


@pytest.mark.usefixtures("saved")
def test_a_reference_that_moves_alike_is_resumed(tmp_path: Path) -> None:
    """The checkpoint has the settings with which it moved."""
    list(played(trainer(tmp_path, **moving(2, 0.9)), 1, 4))
    assert trainer(tmp_path, **moving(2, 0.9)).load_checkpoints()[0] == 4


@pytest.mark.usefixtures("saved")
def test_a_reference_that_has_not_moved_yet_is_resumed(tmp_path: Path) -> None:
    """The job goes on with the model's own weights as its reference."""
    moves: dict[str, Any] = {"environment.skyrl_gym.agent_env.reference_every": 5}
    list(played(trainer(tmp_path, **moves), 1, 4))
    assert trainer(tmp_path, **moves).load_checkpoints()[0] == 4


@pytest.mark.parametrize(
    ("settings", "reached", "complete"),
    [
        ({}, PER_EPOCH * EPOCHS, True),
        ({}, PER_EPOCH * EPOCHS - 1, False),
        ({"trainer.max_training_steps": 4}, 4, True),
        ({"trainer.algorithm.dynamic_sampling.type": "filter"}, 1, True),
    ],
)
def test_missing_steps_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], reached: int, complete: bool
) -> None:
    """A job that SkyRL ends early fails, except with dynamic sampling, which takes several batches for a step."""
    job = trainer(tmp_path, **settings)

    async def ended(self: Any) -> None:
        self.global_step = reached

    monkeypatch.setattr(RayPPOTrainer, "train", ended)
    if complete:
        asyncio.run(job.train())
    else:
        with pytest.raises(StepsMissing, match=f"after step {reached} of {PER_EPOCH * EPOCHS}"):
            asyncio.run(job.train())
