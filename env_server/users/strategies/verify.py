"""`verify`: each message of a language model is checked, and written anew until one passes."""

from agent_env_schemas import UserStrategy
from env_server.users.model.choosing import Method, approved
from env_server.users.model.drafts import Draft, Drafts
from env_server.users.model.user import played_by_model

MOST_DRAFTS = 3


async def _verified(drafts: Drafts) -> Draft:
    async def again(_rejected: Draft, attempt: int) -> Draft:
        return await drafts.draft(attempt)

    return await approved(drafts, MOST_DRAFTS, again)


STRATEGY = played_by_model(UserStrategy.VERIFY, Method(_verified))
