"""GRPO in one file: a policy, rollouts with a mask, group baselines, the clipped ratio, and a KL term.

The policy reads a sequence of token ids and emits one action id a turn. Ids below `actions` are actions, the others are
observations. `TokenRollout.chosen` marks the ids that the policy emitted; only these have a log-probability and a
gradient. Shapes: B rollouts, T tokens, A actions. Sources: GRPO (arXiv 2402.03300), clipping (arXiv 1707.06347) with a
higher upper bound (arXiv 2503.14476), and LoRA (arXiv 2106.09685).
"""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Settings:
    """What one update does. Ratios are clipped to 1 - `clip` and 1 + `clip_high`. `ema` is the decay of the reference
    for each update; None keeps the reference frozen.
    """

    lr: float = 2e-3
    clip: float = 0.2
    clip_high: float = 0.28
    kl: float = 0.01
    entropy: float = 0.0
    epochs: int = 1
    max_norm: float = 1.0
    ema: float | None = None


@dataclass
class TokenRollout:
    """One episode as tokens. `logp` has one value for each chosen token; `reward` is None if it was not scored."""

    group: int
    ids: list[int] = field(default_factory=list)
    chosen: list[bool] = field(default_factory=list)
    logp: list[float] = field(default_factory=list)
    reward: float | None = None

    def read(self, ids: Sequence[int]) -> None:
        """Append observed tokens, which get no gradient."""
        self.ids += ids
        self.chosen += [False] * len(ids)

    def act(self, action: int, logp: float) -> None:
        """Append a token of the policy and the log-probability with which it was sampled."""
        self.ids.append(action)
        self.chosen.append(True)
        self.logp.append(logp)


@dataclass(frozen=True)
class TokenBatch:
    """Rollouts as tensors, padded on the right: all are [B, T]; advantage and `unsolved` are [B, 1]."""

    ids: Tensor
    chosen: Tensor
    logp: Tensor
    advantage: Tensor
    unsolved: Tensor


class Policy(nn.Module):
    """A recurrent network from token ids [B, T] to log-probabilities of the next action [B, T, A].

    The output at position t has read the tokens before t only; the state before the first token is zero. Products are
    computed in the type `compute`; weights and log-probabilities keep float32.
    """

    def __init__(
        self, vocabulary: int, actions: int, width: int = 64, hidden: int = 96, compute: torch.dtype = torch.float32
    ) -> None:
        super().__init__()
        self.compute = compute
        self.embed = nn.Embedding(vocabulary, width)
        self.read = nn.GRU(width, hidden, batch_first=True)
        self.head: nn.Module = nn.Linear(hidden, actions)

    def forward(self, ids: Tensor) -> Tensor:
        """Log-probabilities of the action at each position."""
        with torch.autocast(ids.device.type, self.compute, enabled=self.compute != torch.float32):
            read = self.read(self.embed(ids))[0]
            before = torch.cat([torch.zeros_like(read[:, :1]), read], dim=1)  # [B, T + 1, hidden]
            logits = self.head(before)
        return logits.log_softmax(-1, dtype=torch.promote_types(logits.dtype, torch.float32))

    @torch.no_grad()
    def sample(self, rollouts: Sequence[TokenRollout]) -> list[tuple[int, float]]:
        """The next action of each rollout, drawn at temperature 1, and its log-probability."""
        ids = padded([one.ids for one in rollouts], torch.long, self.embed.weight.device)
        ends = torch.tensor([len(one.ids) for one in rollouts], device=ids.device)
        logp = self(ids)[torch.arange(len(rollouts), device=ids.device), ends].float()
        picked = torch.multinomial(logp.softmax(-1), 1)[:, 0]
        taken = logp.gather(1, picked[:, None])[:, 0]
        return list(zip(picked.tolist(), taken.tolist(), strict=True))


class LoraLinear(nn.Module):
    """A frozen linear layer plus a trained product of rank r, scaled by alpha / r. It begins equal to the layer."""

    def __init__(self, base: nn.Linear, rank: int = 8, alpha: float = 16.0) -> None:
        super().__init__()
        self.base, self.scale = base.requires_grad_(False), alpha / rank
        self.down = nn.Parameter(torch.randn(rank, base.in_features) * rank**-0.5)
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        """The layer's output with the adapter."""
        return self.base(x) + (x @ self.down.T @ self.up.T) * self.scale

    def merged(self) -> nn.Linear:
        """A plain layer with the same output."""
        layer = copy.deepcopy(self.base)
        with torch.no_grad():
            layer.weight += self.scale * self.up @ self.down
        return layer


def with_lora(policy: Policy, rank: int = 8) -> Policy:
    """A copy of the policy in which only an adapter on its head is trained."""
    adapted: Policy = copy.deepcopy(policy)
    adapted.requires_grad_(False)
    assert isinstance(adapted.head, nn.Linear), "the policy has an adapter already"
    adapted.head = LoraLinear(adapted.head, rank)
    return adapted


def padded(rows: Sequence[Sequence[float]], dtype: torch.dtype, device: torch.device) -> Tensor:
    """Rows of different lengths as one tensor [B, T], with zeros on the right."""
    length = max(len(row) for row in rows)
    return torch.tensor([[*row, *[0] * (length - len(row))] for row in rows], dtype=dtype, device=device)


def advantages(rollouts: Sequence[TokenRollout]) -> list[float]:
    """Reward minus the mean of the group, over its standard deviation; 0 in a group whose rewards are all equal.

    Raises:
        ValueError: if a rollout was not scored. It must be left out: the policy would learn from a reward of 0.
    """
    groups: dict[int, list[float]] = {}
    for one in rollouts:
        if one.reward is None:
            raise ValueError(f"a rollout of group {one.group} has no reward")
        groups.setdefault(one.group, []).append(one.reward)
    found = []
    for one in rollouts:
        rewards = torch.tensor(groups[one.group])
        spread = rewards.std(unbiased=False).item()
        found.append(((one.reward or 0.0) - rewards.mean().item()) / spread if spread > 0 else 0.0)
    return found


def mixed_groups(rollouts: Sequence[TokenRollout]) -> float:
    """The share of groups whose rewards differ; only these teach anything."""
    groups: dict[int, set[float | None]] = {}
    for one in rollouts:
        groups.setdefault(one.group, set()).add(one.reward)
    return sum(len(rewards) > 1 for rewards in groups.values()) / max(1, len(groups))


def unsolved(rollouts: Sequence[TokenRollout]) -> list[bool]:
    """Whether each rollout is of a group in which not every reward is 1."""
    failed = {one.group for one in rollouts if one.reward != 1.0}
    return [one.group in failed for one in rollouts]


def batched(rollouts: Sequence[TokenRollout], device: torch.device) -> TokenBatch:
    """Rollouts with rewards as tensors."""
    spread = []
    for one in rollouts:
        values = iter(one.logp)
        spread.append([next(values) if chosen else 0.0 for chosen in one.chosen])
    return TokenBatch(
        ids=padded([one.ids for one in rollouts], torch.long, device),
        chosen=padded([one.chosen for one in rollouts], torch.bool, device),
        logp=padded(spread, torch.float32, device),
        advantage=torch.tensor(advantages(rollouts), device=device)[:, None],
        unsolved=torch.tensor(unsolved(rollouts), device=device)[:, None],
    )


def taken_logp(full: Tensor, batch: TokenBatch) -> Tensor:
    """The log-probability [B, T] of each chosen token; 0 at observed tokens."""
    ids = batch.ids.masked_fill(~batch.chosen, 0)
    taken = full[:, : ids.shape[1]].gather(-1, ids[..., None])[..., 0]
    return taken.masked_fill(~batch.chosen, 0.0)


def grpo_loss(
    full: Tensor, reference: Tensor, batch: TokenBatch, settings: Settings
) -> tuple[Tensor, dict[str, float]]:
    """The loss, as a mean over chosen tokens, and its metrics.

    `full` and `reference` are log-probabilities [B, T + 1, A] of the policy and of the reference.
    """
    logp, count = taken_logp(full, batch), batch.chosen.sum().clamp(min=1)
    # A group in which every rollout fails has no advantage, and only KL and entropy make the policy try something else.
    # A solved group need not be drawn back to the reference, nor explored.
    free = batch.unsolved.float()

    def mean(values: Tensor) -> Tensor:
        return values.masked_fill(~batch.chosen, 0.0).sum() / count

    ratio = (logp - batch.logp).exp()
    clipped = ratio.clamp(1 - settings.clip, 1 + settings.clip_high)
    gain = torch.minimum(ratio * batch.advantage, clipped * batch.advantage)
    kl = (full.exp() * (full - reference)).sum(-1)[:, :-1]  # over all actions: an estimate from one action has spikes
    entropy = -(full.exp() * full).sum(-1)[:, :-1]
    loss = -mean(gain) + mean((settings.kl * kl - settings.entropy * entropy) * free)
    metrics = {
        "kl": mean(kl).item(),
        "entropy": mean(entropy).item(),
        "ratio": mean(ratio).item(),
        "clipped": mean((ratio != clipped).float()).item(),
        "gap": (logp - batch.logp).abs().max().item(),
    }
    return loss, metrics


class Learner:
    """A policy, its reference and its optimiser."""

    def __init__(self, policy: Policy, settings: Settings) -> None:
        self.policy, self.settings = policy, settings
        self.reference = copy.deepcopy(policy).requires_grad_(False)
        trained = [one for one in policy.parameters() if one.requires_grad]
        self.trained, self.optimiser = trained, torch.optim.AdamW(trained, lr=settings.lr, weight_decay=0.0)

    def update(self, rollouts: Sequence[TokenRollout]) -> dict[str, float]:
        """Learn from scored rollouts; the metrics are those of the last pass, except `gap`, which is the first's.

        `gap` is the largest difference between a log-probability while sampling and the same one while training.
        """
        batch = batched(rollouts, self.policy.embed.weight.device)
        with torch.no_grad():
            reference = self.reference(batch.ids)
        metrics: dict[str, float] = {}
        for _ in range(self.settings.epochs):
            loss, seen = grpo_loss(self.policy(batch.ids), reference, batch, self.settings)
            norm = self._step(loss) if batch.unsolved.any() else 0.0  # else only momentum would move the policy
            metrics = {**seen, "loss": loss.item(), "norm": norm, "gap": metrics.get("gap", seen["gap"])}
        self._follow()
        return {**metrics, "mixed": mixed_groups(rollouts)}

    def anneal(self, share: float) -> None:
        """Learn from now on with this share of the learning rate."""
        for group in self.optimiser.param_groups:
            group["lr"] = share * self.settings.lr

    def clone(self, rollouts: Sequence[TokenRollout]) -> float:
        """One step of supervised learning of the chosen tokens."""
        ids = padded([one.ids for one in rollouts], torch.long, self.policy.embed.weight.device)
        chosen = padded([one.chosen for one in rollouts], torch.bool, ids.device)
        batch = TokenBatch(
            ids, chosen, torch.zeros_like(ids), torch.zeros_like(ids[:, :1]), torch.ones_like(ids[:, :1])
        )
        loss = -taken_logp(self.policy(ids), batch).sum() / chosen.sum()
        self._step(loss)
        return float(loss.item())

    def _step(self, loss: Tensor) -> float:
        self.optimiser.zero_grad()
        loss.backward()
        norm: Any = nn.utils.clip_grad_norm_(self.trained, self.settings.max_norm, error_if_nonfinite=True)
        self.optimiser.step()
        return float(norm)

    @torch.no_grad()
    def _follow(self) -> None:
        if self.settings.ema is not None:
            for old, new in zip(self.reference.parameters(), self.policy.parameters(), strict=True):
                old.lerp_(new, 1 - self.settings.ema)
