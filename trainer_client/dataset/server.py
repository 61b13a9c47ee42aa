"""The data that a training set takes from the server: domains with a pack, and the prompt of their episodes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, DomainList, UserSpec, UserStrategy, WrittenFormat
from trainer_client.client import Client
from trainer_client.dataset.errors import DataError

ALONE = UserStrategy.NONE.value
"""The strategy without a user: the agent works alone."""

RUN = "trainer-data"
"""The run of the episodes that are begun for a prompt and its examples; they are not for training."""

AT_HAND = (None, UserStrategy.SCRIPTED.value, ALONE)
"""The user strategies that need no language model."""

STRATEGIES = tuple(one.value for one in UserStrategy if one is not UserStrategy.EXTERNAL)
"""The user strategies for training; `external` is not among them, because nobody would speak for the user."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """The beginning of a pack's episodes."""

    system: str
    """The system message: policy and tools."""

    pack_version: str


def read_prompt(
    client: Client,
    domain: str,
    pack: str,
    tool_prompt: WrittenFormat,
    user: Mapping[str, Any] | None,
    *,
    task_id: str | None = None,
    task: dict[str, Any] | None = None,
    tools: Mapping[str, Any] | None = None,
) -> Prompt:
    """Read the prompt of a listed or a given task from an episode, which is begun and closed unscored.

    `tools` are the options of the row's tools. No tool is called and nothing is recorded, so of their modes only
    `replay` is kept: with it, no MCP server has to answer.

    Raises:
        DataError: if nobody would speak for the user.
        ServerError: if the server refuses.
    """
    if strategy_of(user) in AT_HAND:
        spec = UserSpec.model_validate(user or {})
    else:  # the prompt does not depend on the model, so no model is needed now
        spec = UserSpec(strategy=UserStrategy.EXTERNAL.value, first_message="Hello.")
    episode = client.reset(
        domain,
        pack=pack,
        tool_prompt=tool_prompt,
        user=spec,
        task_id=task_id,
        task=task,
        tools=tools_for_prompt(tools),
        run=RUN,
        purpose="eval",
    )
    episode.close(CLOSE_INFRASTRUCTURE)
    if episode.reply.info.awaiting_user:
        raise DataError(f"the tasks of {domain} have no script for their users; name who plays them: --user llm")
    return Prompt(episode.messages[0]["content"], episode.reply.info.pack_version)


def tools_for_prompt(tools: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The options of tools for an episode that makes no call. Modes other than `replay` become `live`: none records."""
    if tools is None:
        return None
    changed = {} if tools.get("mode", "live") in ("live", "replay") else {"mode": "live"}
    return {**tools, **changed}


def strategy_of(user: Mapping[str, Any] | None) -> str | None:
    """The strategy of a user; None for the default."""
    return None if user is None else user.get("strategy")


def user_of(strategy: str | None, model: str | None) -> dict[str, Any] | None:
    """The user of a row, as `/reset` takes it; None for the default."""
    given = {"strategy": strategy, "model": model}
    return {name: value for name, value in given.items() if value is not None} or None


def having(listed: DomainList, pack: str) -> list[str]:
    """The domains that have `pack`.

    Raises:
        DataError: if none has.
    """
    names = [domain.name for domain in listed.domains if any(each.name == pack for each in domain.packs)]
    if not names:
        there = sorted({each.name for domain in listed.domains for each in domain.packs})
        raise DataError(f"no domain of this server has a pack {pack!r}; there are: {', '.join(there)}")
    return names


def check_named(option: str, given: Iterable[str], domains: Iterable[str]) -> None:
    """Check that an option for single domains names only `domains`, those of the tasks.

    Raises:
        DataError: if it names another domain, for which the option would do nothing.
    """
    there = sorted(set(domains))
    for name in given:
        if name not in there:
            raise DataError(f"{option} {name}=...: no task here is of that domain; there are: {', '.join(there)}")
