"""The reference loop: log-probabilities, masks, gradients, advantages, adapters."""

import pytest
import torch
from torch import Tensor

from trainer_client.learn.grpo import (
    Learner,
    Policy,
    Settings,
    TokenBatch,
    TokenRollout,
    advantages,
    batched,
    grpo_loss,
    mixed_groups,
    with_lora,
)


def sampled(policy: Policy, groups: int = 4, n: int = 4) -> list[TokenRollout]:
    """Rollouts of two turns with observations of different lengths between; the reward is for action 1 in turn one."""
    rollouts = [TokenRollout(group) for group in range(groups) for _ in range(n)]
    for turn in range(2):
        for place, one in enumerate(rollouts):
            one.read([3 + (place + k) % 5 for k in range(1 + place % 3 + turn)])
        for one, (action, logp) in zip(rollouts, policy.sample(rollouts), strict=True):
            one.act(action, logp)
    for one in rollouts:
        one.reward = float(next(i for i, c in zip(one.ids, one.chosen, strict=True) if c) == 1)
    return rollouts


@pytest.fixture
def policy() -> Policy:
    """A policy of a few hundred weights."""
    torch.manual_seed(0)
    return Policy(vocabulary=8, actions=3, width=6, hidden=7)


def test_the_best_of_three_arms_is_found(policy: Policy) -> None:
    """Sixty updates raise the reward of a three-armed task from chance to nearly 1."""
    learner = Learner(policy, Settings(lr=1e-2))
    for _ in range(60):
        learner.update(sampled(policy))
    after = sampled(policy, groups=20)
    assert sum(one.reward or 0 for one in after) / len(after) > 0.9


def test_recomputed_log_probabilities_are_those_of_sampling(policy: Policy) -> None:
    """Padding and batching change no log-probability, so the ratio in the first pass of an update is 1."""
    metrics = Learner(policy, Settings(lr=0.0)).update(sampled(policy))
    assert metrics["gap"] < 1e-5
    assert metrics["ratio"] == pytest.approx(1, abs=1e-5)
    assert metrics["kl"] == pytest.approx(0, abs=1e-6)
    played = sampled(policy)
    with torch.no_grad():
        policy.head.weight += 0.1  # other weights than those that sampled: the same measure must show it
        policy.head.weight[0] += 0.5
    assert Learner(policy, Settings(lr=0.0)).update(played)["gap"] > 1e-3


@pytest.mark.parametrize("rank", [0, 2])
def test_products_in_bfloat16_leave_weights_and_log_probabilities_in_float32(policy: Policy, rank: int) -> None:
    """The policy still learns; its outputs differ from float32 only by rounding, and the metric `gap` shows it."""
    ids = torch.randint(0, 8, (2, 9))
    exact = policy(ids)
    policy.compute = torch.bfloat16
    rounded = policy(ids)
    assert rounded.dtype == torch.float32
    assert 0 < (rounded - exact).abs().max().item() < 0.05
    learner = Learner(with_lora(policy, rank) if rank else policy, Settings(lr=1e-2))
    metrics = [learner.update(sampled(learner.policy)) for _ in range(60)]
    assert {weight.dtype for weight in learner.policy.parameters()} == {torch.float32}
    assert max(one["gap"] for one in metrics) < 0.1
    after = sampled(learner.policy, groups=20)
    assert sum(one.reward or 0 for one in after) / len(after) > 0.6


def test_observed_tokens_get_no_gradient(policy: Policy) -> None:
    """The gradient with respect to the outputs is zero at every token that the policy did not emit."""
    batch = batched(sampled(policy), torch.device("cpu"))
    full = policy(batch.ids).detach().requires_grad_()
    loss, _ = grpo_loss(full, full.detach() - 0.1, batch, Settings(kl=0.1, entropy=0.1))
    loss.backward()
    moved = full.grad.abs().sum(-1)[:, :-1] > 0
    assert not moved[~batch.chosen].any()
    assert moved[batch.chosen].any()


def test_gradients_are_those_of_finite_differences(policy: Policy) -> None:
    """The loss's gradient agrees with differences of the loss in double precision, with a policy that has moved."""
    batch = batched(sampled(policy), torch.device("cpu"))
    policy.double()
    reference = policy(batch.ids).detach()
    with torch.no_grad():
        policy.head.weight += 0.02 * torch.randn_like(policy.head.weight)

    def loss() -> Tensor:
        return grpo_loss(policy(batch.ids), reference, batch, Settings(kl=0.3, entropy=0.1))[0]

    loss().backward()
    weight, step = policy.head.weight, 1e-6
    with torch.no_grad():
        for row, column in ((0, 0), (1, 3), (2, 6)):
            values = []
            for sign in (1, -1):
                weight[row, column] += sign * step
                values.append(loss().item())
                weight[row, column] -= sign * step
            slope = (values[0] - values[1]) / (2 * step)
            assert weight.grad[row, column].item() == pytest.approx(slope, rel=1e-4, abs=1e-8)


def test_advantages_are_within_groups() -> None:
    """A group of equal rewards teaches nothing; in a mixed one the advantages have mean 0 and deviation 1."""
    rollouts = [TokenRollout(g, reward=r) for g, r in ((0, 1.0), (0, 1.0), (1, 0.0), (1, 1.0))]
    assert advantages(rollouts) == [0.0, 0.0, -1.0, 1.0]
    assert mixed_groups(rollouts) == 0.5


@pytest.mark.parametrize(("reward", "moves"), [(1.0, False), (0.0, True)])
def test_a_solved_task_is_left_alone(policy: Policy, reward: float, moves: bool) -> None:
    """If all rewards are 1, neither the reference nor entropy moves a weight; if all are 0, both do."""
    learner = Learner(policy, Settings(lr=1e-2, kl=0.1, entropy=0.1))
    learner.update(sampled(policy))  # gives the optimiser its momentum
    rollouts = sampled(policy)
    for one in rollouts:
        one.reward = reward
    before = policy.head.weight.clone()
    learner.update(rollouts)
    assert (not torch.equal(policy.head.weight, before)) is moves


def test_an_unlikely_action_makes_no_spike() -> None:
    """The distance from the reference is that of the distributions, and not of the action that was drawn."""
    full = torch.tensor([[[1e-6, 1 - 1e-6], [0.5, 0.5]]]).log()
    reference = torch.tensor([[[0.9, 0.1], [0.5, 0.5]]]).log()
    one = torch.tensor([[True]])
    drawn = TokenBatch(torch.tensor([[0]]), one, full[:, :1, 0], torch.tensor([[0.0]]), one)
    assert grpo_loss(full, reference, drawn, Settings())[1]["kl"] == pytest.approx(2.3026, rel=1e-3)


def test_an_unscored_rollout_is_refused() -> None:
    """An episode that the infrastructure lost cannot be learned from as a reward of 0."""
    with pytest.raises(ValueError, match="has no reward"):
        advantages([TokenRollout(0, reward=1.0), TokenRollout(0)])


def test_a_merged_adapter_equals_the_adapted_layer(policy: Policy) -> None:
    """Training moves the adapter and nothing else, and merging changes no output."""
    adapted = with_lora(policy, rank=2)
    learner = Learner(adapted, Settings(lr=1e-2))
    for _ in range(3):
        learner.update(sampled(adapted))
    ids = torch.randint(0, 8, (2, 9))
    tuned = adapted(ids)
    assert not torch.allclose(tuned, policy(ids), atol=1e-4)
    assert torch.equal(adapted.read.weight_ih_l0, policy.read.weight_ih_l0)
    adapted.head = adapted.head.merged()
    assert torch.allclose(adapted(ids), tuned, atol=1e-5)


@pytest.mark.parametrize(("ema", "moves"), [(None, False), (0.9, True)])
def test_the_reference_is_frozen_or_follows(policy: Policy, ema: float | None, moves: bool) -> None:
    """Without a decay the reference stays; with one it moves a part of the way to the policy."""
    learner = Learner(policy, Settings(lr=1e-2, ema=ema))
    first = learner.reference.head.weight.clone()
    learner.update(sampled(policy))
    assert (not torch.equal(learner.reference.head.weight, first)) is moves
    assert not torch.equal(learner.reference.head.weight, policy.head.weight)


@pytest.mark.parametrize(
    ("ratio", "advantage", "learns"),
    [(1.25, 1.0, True), (1.35, 1.0, False), (0.75, 1.0, True), (0.75, -1.0, False), (0.85, -1.0, True)],
)
def test_a_ratio_beyond_the_clip_teaches_nothing(ratio: float, advantage: float, learns: bool) -> None:
    """An action already likelier by more than .28 is not pushed further, nor one less likely by more than .2."""
    full = torch.tensor([[[0.5, 0.5], [0.5, 0.5]]]).log().requires_grad_()
    old = (torch.tensor([[0.5 / ratio]])).log()
    one = torch.tensor([[True]])
    batch = TokenBatch(torch.tensor([[1]]), one, old, torch.tensor([[advantage]]), one)
    grpo_loss(full, full.detach(), batch, Settings(kl=0.0))[0].backward()
    assert bool(full.grad.abs().sum() > 0) is learns


def test_annealed_to_nothing_the_policy_stays(policy: Policy) -> None:
    """With a share of 0 of the learning rate an update moves no weight, and with 1 it does."""
    learner = Learner(policy, Settings(lr=1e-2))
    first = policy.head.weight.clone()
    learner.anneal(0.0)
    learner.update(sampled(policy))
    assert torch.equal(policy.head.weight, first)
    learner.anneal(1.0)
    learner.update(sampled(policy))
    assert not torch.equal(policy.head.weight, first)
