"""The four strategies of a user model. Each makes drafts and chooses the draft to send."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

from env_server.users.base import STOP
from env_server.users.model.chat import spoken
from env_server.users.model.drafts import Draft, Drafts
from env_server.users.model.prompts import reflect_prompt

VERIFY_DRAFTS = 3
REFLECTION_DRAFTS = 2


@dataclass(frozen=True, slots=True)
class Method:
    """One strategy."""

    choose: Callable[[Drafts], Awaitable[Draft]]
    thinks: bool = False
    """Whether the model writes down a thought before its message."""


async def _first(drafts: Drafts) -> Draft:
    return await drafts.draft()


async def _verified(drafts: Drafts) -> Draft:
    async def again(_rejected: Draft, attempt: int) -> Draft:
        return await drafts.draft(attempt)

    return await _judged(drafts, VERIFY_DRAFTS, again)


async def _reflected(drafts: Drafts) -> Draft:
    async def again(rejected: Draft, attempt: int) -> Draft:
        told = [spoken(rejected.line.content), {"role": "user", "content": reflect_prompt(STOP)}]
        return await drafts.draft(attempt, told, with_labels=True)

    return await _judged(drafts, REFLECTION_DRAFTS, again)


async def _judged(drafts: Drafts, most: int, again: Callable[[Draft, int], Awaitable[Draft]]) -> Draft:
    """Return the first draft that the judge approves.

    If the judge rejects all `most` drafts, return the last one that does not end the conversation, else the last one.
    If the judge gives no clear verdict, return the draft in question. `usage.fallback` records both cases.
    """
    usage = drafts.asker.usage
    made = [await drafts.draft()]
    while True:
        approved = await drafts.approved(made[-1])
        if approved is None:
            usage.fallback = "no_verdict"
        if approved is not False:
            return made[-1]
        usage.rejected += 1
        if len(made) == most:
            usage.fallback = "rejected"
            return next((draft for draft in reversed(made) if not draft.line.stop), made[-1])
        made.append(await again(made[-1], len(made)))


METHODS: Mapping[str, Method] = {
    "llm": Method(_first),
    "react": Method(_first, thinks=True),
    "verify": Method(_verified),
    "reflection": Method(_reflected),
}
"""The strategies by name."""
