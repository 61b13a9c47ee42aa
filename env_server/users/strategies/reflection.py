"""`reflection`: each message of a language model is checked; the model reflects on one that does not pass."""

from agent_env_schemas import USER_STOP, UserStrategy
from env_server.users.model.chat import spoken
from env_server.users.model.choosing import Method, approved
from env_server.users.model.drafts import Draft, Drafts
from env_server.users.model.prompts import filled
from env_server.users.model.user import played_by_model

MOST_DRAFTS = 2

_REFLECT = """(This is not from the agent.) Your last message was checked and held back, as it does not fit your task or
the conversation. Find out what is wrong with it, and write a better one. Answer in exactly two parts, each once:
Reflection: <what was wrong; nobody sees this>
Response: <the customer's message, or the line {stop} alone>"""


async def _reflected(drafts: Drafts) -> Draft:
    async def again(rejected: Draft, attempt: int) -> Draft:
        told = [spoken(rejected.line.content), {"role": "user", "content": filled(_REFLECT, stop=USER_STOP)}]
        return await drafts.draft(attempt, told, with_labels=True)

    return await approved(drafts, MOST_DRAFTS, again)


STRATEGY = played_by_model(UserStrategy.REFLECTION, Method(_reflected))
