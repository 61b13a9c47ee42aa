"""`llm`: a language model writes each message."""

from agent_env_schemas import UserStrategy
from env_server.users.model.choosing import Method, first
from env_server.users.model.user import played_by_model

STRATEGY = played_by_model(UserStrategy.LLM, Method(first))
