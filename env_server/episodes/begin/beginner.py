"""Beginning of one episode or of a group, which one transaction commits."""

import asyncio
import base64
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import time
from typing import Any

from agent_env_schemas import ErrorCode, ResetRequest, UserStrategy
from env_server.domains.kit import Task
from env_server.domains.pack import Toolkit
from env_server.episodes.begin.choice import allows_no_effect, check_tools, choose_task, choose_user, split_of
from env_server.episodes.begin.purpose import settle
from env_server.episodes.begin.vetting import vet
from env_server.episodes.codec.address import mcp_url
from env_server.episodes.codec.reply import blob_ref, encode, token_ref
from env_server.episodes.codec.text import dumps
from env_server.episodes.episode import AGENT, Carry, Episode, Position, asks_as
from env_server.episodes.failures import user_problem
from env_server.episodes.packs.gold import Golds
from env_server.episodes.packs.library import Library, LivePack
from env_server.episodes.packs.outside import (
    await_servers,
    check_answers,
    check_options,
    check_recorded,
    record_listings,
)
from env_server.episodes.packs.tasks import splits_of
from env_server.episodes.turn.events import mode_of, on_user
from env_server.errors import ProblemError
from env_server.records import EpisodeRow, Store, TurnRow
from env_server.rewards.components import in_basis
from env_server.users import User, UserReply, Users


@dataclass(frozen=True, slots=True)
class NewEpisode:
    """An episode that is ready to be committed: its rows and its reply as stored."""

    episode: Episode
    row: EpisodeRow
    turn: TurnRow
    reply: str
    answers: Mapping[str, str]
    """Answers of the models that wrote the first message. The commit stores them."""


@dataclass(frozen=True)
class Beginner:
    """Builder of new episodes."""

    store: Store
    library: Library
    golds: Golds
    users: Users
    timeout_s: float
    has_judge: bool

    async def begin(
        self, request: ResetRequest, caller: str, group_id: str | None, address: str | None
    ) -> list[NewEpisode]:
        """Return the episodes of `request`. This method commits none of them.

        Raises:
            ProblemError: if the request does not fit this server's packs, tasks or users.
        """
        live = await self.library.current(request.domain, request.pack)
        if request.difficulty is not None:
            await self.library.measure(live.pack, splits_of(live.pack, split_of(live.pack, request)))
        if request.task is None:
            task = choose_task(live.pack, request)
        else:  # off the event loop: a task's set-up may be slow, and other requests must not wait for it
            task = await asyncio.to_thread(choose_task, live.pack, request)
        user = choose_user(self.users, task, request)
        toolkit = Toolkit.of(task, request.tools, solo=user.name == UserStrategy.NONE)
        await await_servers(live.pack, toolkit, request.tools)
        live = await self.library.current(request.domain, request.pack)
        if request.expect is not None and request.expect.pack_version != live.version:
            raise ProblemError(ErrorCode.PACK_CHANGED, f"the pack's version is {live.version}")
        check_options(live.pack, request.tools)
        if request.task is not None:
            await self._try_gold(live, task, allow_no_effect=allows_no_effect(request.task))
        purpose = await settle(self.store, live.pack, task, request)
        task_key = await self.library.task_key(task)
        check_answers(live.pack, toolkit, request.tools)
        check_tools(live.pack, task, request.tools)
        check_recorded(self.store, live.pack, request.tools)
        await record_listings(self.store, live.pack, toolkit, request.tools)
        by_rules = self.users.strategies[user.name].by_rules
        settled: dict[str, Any] = {"purpose": purpose, "conduct": mode_of(request, task, user, by_rules=by_rules)}
        if task.max_turns is not None and "max_turns" not in request.model_fields_set:
            settled["max_turns"] = task.max_turns
        kept = request.model_copy(update={"task": None, "idempotency_key": None, **settled})
        episodes = [
            self._member(key, live, task, user, kept, i)
            for i, key in enumerate(await self.store.episode_ids(request.n or 1))
        ]
        firsts = await self._all_first_words(episodes)
        return [
            await self._begun(episode, first, task_key, caller, group_id, address)
            for episode, first in zip(episodes, firsts, strict=True)
        ]

    async def _try_gold(self, live: LivePack, task: Task, *, allow_no_effect: bool) -> None:
        """Run an inline task's gold calls. Refuse the task if they fail or if the task measures nothing."""
        beginning = self.library.beginning(live, task)
        check = partial(vet, live.pack, task, beginning, allow_no_effect=allow_no_effect)
        try:
            await self.golds.outcome(live, task, check)
        except ProblemError as e:
            if e.retryable or e.code is ErrorCode.INVALID_REQUEST:  # cut off, or refused by `vet`
                raise
            raise ProblemError(ErrorCode.INVALID_REQUEST, f"the task's gold cannot be played: {e.detail}") from e

    def _member(self, key: int, live: LivePack, task: Task, user: User, asked: ResetRequest, i: int) -> Episode:
        """Return the episode of member `i` of a group; `i` is 0 for a single episode."""
        told = asked.group_id is None or "trial" in asked.model_fields_set
        options = asked.model_copy(update={"trial": asked.trial + i}) if i and told else asked
        episode_id = new_id("ep")
        if user.remote:
            user = self.users.of(task, options.user, options.run, asks_as(options, episode_id))
        state = self.library.beginning(live, task)
        return Episode(
            key=key,
            episode_id=episode_id,
            live=live,
            task=task,
            seed=asked.seed + i if asked.vary_user else asked.seed,
            user=user,
            options=options,
            created_at=time(),
            drifted=False,
            state=state,
            position=Position(0, AGENT, 0),
            carry=Carry(state.hash),
        )

    async def _begun(
        self,
        episode: Episode,
        first: UserReply | None,
        task_key: int,
        caller: str,
        group_id: str | None,
        address: str | None,
    ) -> NewEpisode:
        options, now = episode.options, episode.created_at
        system, tools = await self.library.prompt(episode.live, episode.task, episode.toolkit, options.tool_prompt)
        observation: list[dict[str, Any]] = [{"role": "system", "content": blob_ref(system.digest)}]
        if first is None:
            episode.carry.awaiting = True
        else:
            observation.append({"role": "user", "content": first.content})
            episode.carry.notes = first.notes
            on_user(episode, episode.carry, first.content)
        shown = {"observation": observation, "tools": blob_ref(tools.digest)}
        row = EpisodeRow(
            episode.key,
            episode.episode_id,
            episode.live.key,
            task_key,
            options.run,
            options.purpose,
            group_id,
            None,
            None,
            caller,
            episode.seed,
            options.model_dump_json(exclude_unset=True),
            now,
        )
        turn = TurnRow(episode.key, 0, AGENT, 0, "null", encode(shown), episode.carry.dump(), None, now)
        body = reset_body(episode, shown, address, group_id, has_judge=self.has_judge)
        if first is not None and first.usage is not None:
            body["info"]["user_usage"] = first.usage
        return NewEpisode(episode, row, turn, encode(body), {} if first is None else first.answers)

    async def _all_first_words(self, episodes: Sequence[Episode]) -> Sequence[UserReply | None]:
        """Return the opening message of each conversation. Remote users are asked in parallel, and all must answer."""
        if not episodes[0].user.remote:
            return [await _first_words(episode) for episode in episodes]
        try:
            async with asyncio.timeout(self.timeout_s), asyncio.TaskGroup() as group:
                asked = [group.create_task(_first_words(episode)) for episode in episodes]
        except TimeoutError as e:
            raise ProblemError(ErrorCode.STEP_TIMEOUT, "the user's first message took too long") from e
        except ExceptionGroup as e:
            raise user_problem(e.exceptions[0]) from e
        return [task.result() for task in asked]


async def _first_words(episode: Episode) -> UserReply | None:
    """Return the opening message: from the user, from the caller, or the task's text without a user.

    Return None if the external user still has to send the opening message.
    """
    if episode.user.awaits:
        given = episode.options.user.first_message
        return None if given is None else UserReply(given)
    if episode.solo:
        return UserReply(episode.task.ticket or episode.task.instruction)
    return await episode.user.first(episode.task, episode.seed)


def reset_body(
    episode: Episode,
    shown: dict[str, Any],
    address: str | None,
    group_id: str | None = None,
    parent: dict[str, Any] | None = None,
    *,
    has_judge: bool,
) -> dict[str, Any]:
    """Return the fields of the reply to a reset or fork, without `episode_id`."""
    task, pack = episode.task, episode.live.pack
    own: dict[str, Any] = {"user_tools": pack.user_schemas} if episode.user.awaits and pack.user_tools else {}
    if pack.tool_texts is not None:
        own["tool_texts"] = pack.tool_texts
    left_out = [] if has_judge else [one.name for one in in_basis(task.basis) if one.needs_judge(task)]
    if left_out:
        own["not_judged"] = left_out
    return {
        "turn": episode.turn,
        **shown,
        "state_hash": episode.carry.state_hash,
        "mcp_url": None if address is None else mcp_url(address, episode.episode_id),
        "agent_token": token_ref(episode.episode_id),
        "info": {
            "domain": task.domain,
            "pack": task.pack,
            "pack_version": episode.live.version,
            "task_id": task.task_id,
            "split": task.split,
            "template": task.template,
            "seed": episode.seed,
            "user": episode.user.name,
            "max_turns": episode.options.max_turns,
            "awaiting_user": episode.carry.awaiting,
            "group_id": group_id,
            "parent": parent,
            "drifted": episode.drifted,
            "conduct": episode.options.conduct,
            **own,
        },
    }


def new_id(prefix: str) -> str:
    """Return a new random identifier: `prefix` and 80 random bits."""
    return f"{prefix}_{base64.b32encode(secrets.token_bytes(10)).decode().lower()}"


def metadata_text(metadata: dict[str, Any] | None) -> str | None:
    """Return a caller's metadata in stored form."""
    return None if metadata is None else dumps(metadata)
