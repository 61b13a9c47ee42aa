"""Prompts of the models that play or judge the user."""

GREETING = "Hello! How may I help you today?"
"""The agent message that the user model sees before its first message. No agent wrote it."""

_RULES = """You play a customer in a conversation with a customer service agent. The text between <task> and </task>
says who you are and what you are after. The agent cannot see it.

<task>
{instruction}
</task>

How to play:
- Write the customer's next message and nothing else: no quotation marks around it, no label before it, and never the
  agent's part.
- Be brief and natural, as people are when they write to a service. Use your own words rather than those of the task.
- Open with what you need. Give details when they are asked for, and not all at once.
- Know what the task says you know, and nothing more. Where it says that you do not know something, or is silent, say
  that you do not have it; never make up names, numbers, addresses or other facts.
- Keep to the persona, the preferences and the limits of the task, also if the agent proposes something else.
- When the agent asks you to confirm something, answer that question first. What you have just confirmed is not done
  before the agent says so: wait for it.
- When everything that you wanted is done or finally refused, or when you have been handed over to somebody else, end
  the conversation with a message that is only this line:
{stop}
- Never put that line into or under a message that says something else.
"""

_TOOLS = """- You can do some things yourself: that is what your functions are for. Call one when the agent asks you to
  look at or do something that it covers; then tell the agent what you saw, as it was shown. Do nothing that nobody
  asked for.
"""

_JUDGE = """Somebody plays a customer, by instructions that only they know. You check their next message before it is
sent.

The customer's instructions:
<task>
{instruction}
</task>

The conversation so far, with a label before each message:
<conversation>
{transcript}
</conversation>

The customer's next message:
<message>
{message}
</message>

The message is acceptable if it fits the instructions and the conversation: it makes up nothing, gives nothing away
that was not asked for, speaks only for the customer, and does not end the conversation ({stop}) before everything is
settled. Is it acceptable? Answer with one word: true or false."""

AGAIN = (
    "(This is not from the agent. Your last answer could not be used. {why} Now write the customer's message again.)"
)

STILL_ASKED = (
    "The agent has asked you to confirm something, and nothing is done before you answer. If you agree, say yes and "
    "wait for the result; if you do not, say so; only if there is really nothing to answer, end the conversation."
)

JUST_BEGUN = "The conversation has only begun: say what you need."


def user_prompt(instruction: str, stop: str, *, form: str, tools: bool) -> str:
    """Return the system message of the model that plays the user; `form` says in which parts it answers."""
    parts = [_RULES, _TOOLS if tools else "", form]
    return filled("".join(parts), instruction=instruction, stop=stop)


def judge_prompt(instruction: str, stop: str, transcript: str, message: str) -> str:
    """Return the question to the judge of a message."""
    return filled(_JUDGE, instruction=instruction, stop=stop, transcript=transcript, message=message)


def filled(template: str, **values: str) -> str:
    """Return `template` with its `{names}` replaced in one pass, so that braces in a value have no effect."""
    parts = template.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        name, _, rest = part.partition("}")
        filled.append(values[name] + rest)
    return "".join(filled)
