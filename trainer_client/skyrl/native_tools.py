"""Rollouts in which the chat template describes the tools (`tools=`), as it does where the model is deployed.

A conversation that is rendered again for each turn is tokenised again, so each turn is a row of its own: the ids that
the engine was given, and the ids that it sampled. No id of the policy is ever computed from text. SkyRL merges rows
where the ids of one begin the next (`generator.merge_stepwise_output`).
"""

import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import trainer_client.skyrl.compat  # noqa: F401 -- SkyRL needs it  # isort: skip

from skyrl.backends.skyrl_train.inference_servers.base import InferenceEngineInput
from skyrl.train.generators.skyrl_gym_generator import StepWiseOutput, TrajectoryOutput

from trainer_client.skyrl.engine_checks import check_answer
from trainer_client.skyrl.env import AgentEnv, Messages
from trainer_client.skyrl.shared_client import CHAT, RENDERED

Tools = Sequence[Mapping[str, Any]]
Params = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what the engine was given and what it sampled."""

    prompt_ids: list[int]
    ids: list[int]
    logprobs: list[float] | None
    stop_reason: str
    message: dict[str, Any]
    """The message with which the conversation goes on. The server gets its calls, or the text if there are none."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The request for one turn: what it is sampled from."""

    messages: Messages
    tools: Tools
    prompt_ids: list[int]
    """The conversation in the tokens of our tokenizer."""
    params: Params
    session: str
    salt: str | None


@dataclass(frozen=True, slots=True)
class Engine:
    """SkyRL's client of the engine, and how the template is applied."""

    client: Any
    model: str | None
    tokenizer: Any
    template: Mapping[str, Any]
    """Options of the chat template."""

    def render(self, messages: Messages, tools: Tools) -> list[int]:
        """The conversation up to the next turn, in tokens."""
        ids: list[int] = self.tokenizer.apply_chat_template(
            messages, tools=list(tools), add_generation_prompt=True, return_dict=False, **self.template
        )
        return ids

    def said(self, ids: Sequence[int]) -> str:
        """The text of a turn, without the token that ends it."""
        ended = ids[-1] in self.tokenizer.all_special_ids
        text: str = self.tokenizer.decode(ids[:-1] if ended else ids, skip_special_tokens=False)
        return text


class Sampler(Protocol):
    """One way to sample a turn."""

    async def __call__(self, engine: Engine, asked: Asked) -> Turn:
        """Sample a turn."""


async def rendered(engine: Engine, asked: Asked) -> Turn:
    """The template is applied here; the engine gets ids, and the server reads the calls from the text."""
    given = InferenceEngineInput(
        prompt_token_ids=[asked.prompt_ids],
        session_ids=[asked.session],
        sampling_params=dict(asked.params),
        cache_salt=asked.salt,
    )
    output = await engine.client.generate(given, model=engine.model)
    ids, logprobs = output["response_ids"][0], output.get("response_logprobs")
    message = {"role": "assistant", "content": engine.said(ids)}
    return Turn(asked.prompt_ids, ids, logprobs[0] if logprobs else None, output["stop_reasons"][0], message)


async def chat(engine: Engine, asked: Asked) -> Turn:
    """The engine's chat endpoint applies the template and reads the calls.

    Raises:
        ValueError: if its answer has no ids, or log probabilities that are not one number for each.
    """
    body = {name: value for name, value in asked.params.items() if value is not None}
    wants_logprobs = body.pop("logprobs", None) is not None
    body |= {"logprobs": True, "top_logprobs": 0} if wants_logprobs else {}
    body |= {"messages": asked.messages, "tools": list(asked.tools), "return_token_ids": True}
    body |= {"session_id": asked.session, "model": engine.model, "chat_template_kwargs": dict(engine.template)}
    body |= {} if asked.salt is None else {"cache_salt": asked.salt}
    answer = await engine.client.chat_completion({"json": body})
    (choice,) = answer["choices"]
    prompt_ids, ids = answer.get("prompt_token_ids"), choice.get("token_ids")
    if not isinstance(prompt_ids, list) or not isinstance(ids, list):
        raise ValueError("the engine's chat endpoint answered without token ids")
    content = (choice.get("logprobs") or {}).get("content") or []
    logprobs = [each["logprob"] for each in content] if wants_logprobs else None
    check_answer(ids, logprobs)
    reason = choice["finish_reason"]
    message = _message(choice["message"], engine.said(ids))
    return Turn(prompt_ids, ids, logprobs, "stop" if reason == "tool_calls" else reason, message)


SAMPLERS: Mapping[str, Sampler] = {RENDERED: rendered, CHAT: chat}


async def play(
    engine: Engine,
    sample: Sampler,
    env: AgentEnv,
    prompt: Messages,
    asked: Mapping[str, Any],
    longest: int,
    wait: Callable[..., Awaitable[Any]],
) -> StepWiseOutput:
    """Play an episode, a row for each turn.

    Args:
        engine: The engine that samples.
        sample: The way to sample a turn.
        env: The environment, not yet begun.
        prompt: The prompt of its row.
        asked: `params`, `session` and `salt` of each turn.
        longest: The most tokens of a conversation for which another turn is sampled.
        wait: Runs a function that waits for the server, in a thread.

    Raises:
        RuntimeError: if the episode did not begin.
        ValueError: if it begins with more than `longest` tokens.
    """
    began = time.monotonic()
    messages, _ = await wait(env.init, prompt)
    if env.episode is None or env.stats.failure is not None:
        raise RuntimeError("the episode did not begin")
    tools, rows = env.episode.tools, list[TrajectoryOutput]()
    done = False
    while not done:
        ids = engine.render(messages, tools)
        if len(ids) > longest:
            if not rows:
                raise ValueError(f"the conversation begins with {len(ids)} tokens, max_input_length is {longest}")
            break
        turn = await sample(engine, Asked(messages, tools, ids, **asked))
        text = engine.said(turn.ids)
        reply = await wait(env.play, turn.message if "tool_calls" in turn.message else text, text)
        rows.append(_row(turn, reply["reward"]))
        messages = [*messages, turn.message, *reply["observations"]]
        done = reply["done"]
    await wait(env.close)
    return StepWiseOutput(step_outputs=rows, e2e_time=time.monotonic() - began)


def _row(turn: Turn, reward: float) -> TrajectoryOutput:
    size = len(turn.ids)
    return TrajectoryOutput(
        response_ids=list(turn.ids),
        reward=[*[0.0] * (size - 1), float(reward)],
        stop_reason=turn.stop_reason,
        loss_mask=[1] * size,
        prompt_ids=list(turn.prompt_ids),
        rollout_logprobs=None if turn.logprobs is None else list(turn.logprobs),
        env_metrics={},
    )


def _message(answered: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The message of the chat endpoint; the plain text if it has a call that no chat template could render."""
    calls = answered.get("tool_calls") or []
    if not all(_is_object(call["function"]["arguments"]) for call in calls):
        return {"role": "assistant", "content": text}
    kept = [{"id": c["id"], "type": "function", "function": dict(c["function"])} for c in calls]
    return {"role": "assistant", "content": answered.get("content") or "", **({"tool_calls": kept} if kept else {})}


def _is_object(arguments: Any) -> bool:
    try:
        return isinstance(json.loads(arguments), dict)
    except (TypeError, ValueError):
        return False
