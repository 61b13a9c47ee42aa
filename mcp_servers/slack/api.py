"""Slack's Web API, typed: settings and calls."""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, TypeVar

import anyio
from pydantic import AliasChoices, BaseModel, Field, SecretStr

from mcp_servers.kit.errors import PASSING, ErrorKind, UpstreamError
from mcp_servers.kit.settings import ApiSettings
from mcp_servers.kit.text import inline
from mcp_servers.kit.upstream.http import Service, Upstream, in_process
from mcp_servers.kit.upstream.replies import shaped
from mcp_servers.kit.upstream.wire import Wire
from mcp_servers.slack.directory import Directory
from mcp_servers.slack.errors import explain
from mcp_servers.slack.stand_in import stand_in
from mcp_servers.slack.wire import Channels, Done, Messages, One, Own, Posted, Profile, Search, User, Users

R = TypeVar("R", bound=BaseModel)

NAME = "Slack"
OFFLINE_URL = "http://slack.invalid/api"

_CHANNEL, _USER = re.compile(r"[CDG][A-Z0-9]{4,}"), re.compile(r"[UWB][A-Z0-9]{4,}")
_KEPT_S = 300.0
"""Seconds for which the ids of names are cached. After that, a renamed channel is known by its new name."""


class Settings(ApiSettings):
    """Where Slack is, and the tokens for it."""

    writes: ClassVar[bool] = True

    api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("SLACK_BOT_TOKEN"))
    """The bot's token; without one, the tools answer from the offline world."""
    user_token: SecretStr | None = Field(default=None, validation_alias=AliasChoices("SLACK_USER_TOKEN"))
    """A user's token, with which messages are searched: Slack does not let bots search."""
    base_url: str = Field(default="https://slack.com/api", validation_alias="SLACK_BASE_URL")
    """Where the API is, up to and with `/api`."""


class Slack:
    """A client of Slack, or of its stand-in if there is no token. Every method raises `UpstreamError`.

    Methods write to the real workspace only if the settings allow it. The offline workspace is always writable.
    """

    def __init__(self, settings: Settings, wire: Wire | None = None) -> None:
        """Make a client with these settings. With a token, `wire` replaces the default transport."""
        live = not settings.offline
        carried = wire if live else in_process(stand_in(settings.home()))
        self._upstream = Upstream(_service(settings, settings.key()), carried)
        user = settings.user_token.get_secret_value() if live and settings.user_token is not None else None
        self._searcher = Upstream(_service(settings, user), carried) if user else self._upstream
        self._names: dict[str, str] | None = {} if live else None
        # Episodes that share the server have separate workspaces, so names must not be cached across them.
        kept = _KEPT_S if live else 0.0
        self._channel_ids, self._user_ids = Directory(self._channel_names, kept), Directory(self._user_names, kept)
        self._writes = settings.allow_live_writes or not live

    async def channels(self, **given: Any) -> Channels:
        """Call `conversations.list`: types, limit, cursor, exclude_archived."""
        return await self._get("conversations.list", Channels, **given)

    async def history(self, **given: Any) -> Messages:
        """Call `conversations.history`: channel, limit, cursor, oldest, latest, inclusive.

        The newest messages come first.
        """
        return await self._get("conversations.history", Messages, **given)

    async def replies(self, **given: Any) -> Messages:
        """Call `conversations.replies`: channel, ts, limit, cursor, oldest, latest, inclusive.

        The parent comes first.
        """
        return await self._get("conversations.replies", Messages, **given)

    async def users(self, **given: Any) -> Users:
        """Call `users.list`: limit, cursor."""
        return await self._get("users.list", Users, **given)

    async def user(self, key: str) -> User:
        """Call `users.info`."""
        return (await self._get("users.info", One, user=key)).user

    async def profile(self, key: str) -> Profile:
        """Call `users.profile.get`."""
        return (await self._get("users.profile.get", Own, user=key)).profile

    async def search(self, **given: Any) -> Search:
        """Call `search.messages`: query, count, page, sort, sort_dir."""
        body = await self._searcher.get("search.messages", params=given)
        return shaped(NAME, Search, body)

    async def post(self, **given: Any) -> Posted:
        """Call `chat.postMessage`: channel (its id or name), text, thread_ts."""
        return await self._write("chat.postMessage", Posted, **given)

    async def react(self, **given: Any) -> Done:
        """Call `reactions.add`: channel, timestamp, name."""
        return await self._write("reactions.add", Done, **given)

    async def channel_id(self, key: str) -> str:
        """Return the id of a channel from its id, or from its name with or without `#`."""
        if _CHANNEL.fullmatch(key):
            return key
        if found := await self._channel_ids.find(key.removeprefix("#")):
            return found
        raise _unknown("channel", key)

    async def user_id(self, key: str) -> str:
        """Return the id of a member from the id, or from the name with or without `@`."""
        if _USER.fullmatch(key):
            return key
        if found := await self._user_ids.find(key.removeprefix("@").lower()):
            return found
        raise _unknown("user", key)

    async def visible(self, **given: Any) -> Channels:
        """Return the public and private channels that the bot can see.

        Return the public channels if the bot may not list others.
        """
        try:
            return await self.channels(types="public_channel,private_channel", exclude_archived=True, **given)
        except UpstreamError as e:
            if e.kind is not ErrorKind.PLAN:
                raise
            return await self.channels(types="public_channel", exclude_archived=True, **given)

    async def names(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the names of members by their ids. Return the id itself if Slack does not give the name."""
        known = self._names if self._names is not None else {}
        async with anyio.create_task_group() as tasks:
            for key in dict.fromkeys(key for key in keys if key not in known):
                known[key] = key
                tasks.start_soon(self._learn, known, key)
        return known

    async def _channel_names(self, cursor: str | None) -> tuple[list[tuple[str, str]], str | None]:
        page = await self.visible(limit=1000, cursor=cursor)
        return [(one.name, one.id) for one in page.channels], page.cursor()

    async def _user_names(self, cursor: str | None) -> tuple[list[tuple[str, str]], str | None]:
        page = await self.users(limit=1000, cursor=cursor)
        return [(name, one.id) for one in page.members for name in one.names()], page.cursor()

    async def _learn(self, known: dict[str, str], key: str) -> None:
        try:
            known[key] = (await self.user(key)).called()
        except UpstreamError as e:
            if e.kind in PASSING:  # A later call then requests the name again.
                known.pop(key)

    async def aclose(self) -> None:
        """Close the connections."""
        await self._upstream.aclose()
        if self._searcher is not self._upstream:
            await self._searcher.aclose()

    async def _get(self, method: str, shape: type[R], **given: Any) -> R:
        return shaped(NAME, shape, await self._upstream.get(method, params=given))

    async def _write(self, method: str, shape: type[R], **given: Any) -> R:
        if not self._writes:
            raise UpstreamError(
                ErrorKind.REFUSED,
                "this server may only read the real workspace, and nothing was sent",
                "say so; the operator can allow writes with --allow-live-writes",
            )
        sent = {name: value for name, value in given.items() if value is not None}
        body = await self._upstream.post(method, json=sent, write=True)
        try:
            return shaped(NAME, shape, body)
        except UpstreamError as e:
            raise UpstreamError(ErrorKind.OUTCOME_UNKNOWN, e.happened) from None


def _service(settings: Settings, token: str) -> Service:
    url = OFFLINE_URL if settings.offline else settings.base_url
    return Service(NAME, url, {"Authorization": f"Bearer {token}"}, explain=explain, **settings.limits())


def _unknown(what: str, key: str) -> UpstreamError:
    return UpstreamError(
        ErrorKind.NOT_FOUND, f"there is no {what} {inline(key, 80)!r} that the bot can see", f"list the {what}s"
    )
