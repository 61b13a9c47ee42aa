"""The instructions and the first input of an agent."""

from trainer_client.client.progress import Progress

SPEAK = (
    "The user cannot see what you write. Whatever you want to tell or ask them, say it with the tool `respond`; its "
    "result is what they answer. Write without a tool only when the conversation is over."
)
"""The rule is needed because agents' libraries end a run at the first message without a call."""

LISTEN = "The user has not spoken yet. Call `respond` with an empty message to hear them."


def instructions(episode: Progress) -> str:
    """The policy, and how to speak to the user: the agent's system prompt."""
    policy = [m["content"] for m in episode.messages if m["role"] == "system"]
    return "\n\n".join([*policy, SPEAK])


def opening(episode: Progress) -> str:
    """The beginning of the conversation: the first input of the agent's run. Call it before the first turn."""
    return "\n\n".join(m["content"] for m in episode.messages if m["role"] != "system") or LISTEN
