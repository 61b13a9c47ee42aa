"""The arguments of the tools: types with a description, and the alternative names that models use."""

from typing import Annotated, Literal

from pydantic import AfterValidator, AliasChoices, Field

_TS = r"^\d{1,12}(\.\d{1,6})?$"


def _said(text: str) -> str:
    if not text.strip():
        raise ValueError("there is nothing to say")
    return text


ChannelId = Annotated[
    str,
    Field(
        description="The channel's id, such as C01ABCDEF, or its name.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("channel_id", "channel"),
    ),
]
ChannelName = Annotated[
    str,
    Field(
        description="The channel's name or id.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("channel", "channel_id"),
    ),
]
Text = Annotated[
    str,
    Field(
        description="The message, in Slack's markup; `<@ID>` mentions a member.",
        min_length=1,
        max_length=40_000,
        validation_alias=AliasChoices("text", "message"),
    ),
    AfterValidator(_said),
]
OldText = Annotated[
    str,
    Field(
        description="The message, in Slack's markup.",
        min_length=1,
        max_length=40_000,
        validation_alias=AliasChoices("message", "text"),
    ),
    AfterValidator(_said),
]
Thread = Annotated[
    str, Field(description="The timestamp of the message that began the thread, as 1719849600.000100.", pattern=_TS)
]
Timestamp = Annotated[
    str,
    Field(
        description="The message's timestamp, as 1719849600.000100.",
        pattern=_TS,
        validation_alias=AliasChoices("timestamp", "ts"),
    ),
]
Cursor = Annotated[str | None, Field(description="The cursor of the page before, to go on from there.", max_length=500)]
Oldest = Annotated[str | None, Field(description="Only messages after this timestamp.", pattern=_TS)]
Latest = Annotated[str | None, Field(description="Only messages before this timestamp.", pattern=_TS)]
Inclusive = Annotated[bool, Field(description="Whether messages at oldest and latest count too.")]
UserId = Annotated[
    str,
    Field(
        description="The member's id, such as U01ABCDEF, or their name.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("user_id", "user"),
    ),
]
Emoji = Annotated[
    str,
    Field(
        description="The emoji's name without colons, such as `thumbsup`.",
        min_length=1,
        max_length=100,
        validation_alias=AliasChoices("reaction", "name"),
    ),
]
Query = Annotated[
    str,
    Field(
        description="Words, and modifiers such as in:#channel, from:@name, after:2026-05-01, has:link, -word.",
        min_length=1,
        max_length=400,
    ),
    AfterValidator(_said),
]
Limit = Annotated[
    int,
    Field(description="How many to give; a page holds at most 200, whatever is asked for.", ge=1, le=1000),
    AfterValidator(lambda count: min(count, 200)),
]
Count = Annotated[int, Field(description="How many messages to give, from 1 to 100.", ge=1, le=100)]
Sort = Annotated[Literal["score", "timestamp"], Field(description="The best or the newest first.")]
PageNumber = Annotated[int, Field(description="Which page of the matches to give, from 1 on.", ge=1, le=100)]
