"""The choice of the message that a user model sends: it makes drafts, and one of them is chosen."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from env_server.users.model.drafts import Draft, Drafts


@dataclass(frozen=True, slots=True)
class Method:
    """The differences between the strategies of a language model."""

    choose: Callable[[Drafts], Awaitable[Draft]]
    """Return the draft to send."""

    form: str = ""
    """The labelled parts in which the model answers, as text of its prompt; `{stop}` in it stands for the line that
    ends the conversation. Empty: it answers with the message alone.
    """


async def first(drafts: Drafts) -> Draft:
    """Return the first draft."""
    return await drafts.draft()


async def approved(drafts: Drafts, most: int, again: Callable[[Draft, int], Awaitable[Draft]]) -> Draft:
    """Return the first draft that the judge approves. `again` makes the next one from the rejected draft.

    If the judge rejects all `most` drafts, return the last one that does not end the conversation, else the last one.
    If the judge gives no clear verdict, return the draft in question. `usage.fallback` records both cases.
    """
    usage = drafts.asker.usage
    made = [await drafts.draft()]
    while True:
        passed = await drafts.approved(made[-1])
        if passed is None:
            usage.fallback = "no_verdict"
        if passed is not False:
            return made[-1]
        usage.rejected += 1
        if len(made) == most:
            usage.fallback = "rejected"
            return next((draft for draft in reversed(made) if not draft.line.stop), made[-1])
        made.append(await again(made[-1], len(made)))
