"""`react`: a language model writes down a thought before each message."""

from agent_env_schemas import UserStrategy
from env_server.users.model.choosing import Method, first
from env_server.users.model.user import played_by_model

FORM = """
Think before you speak. Answer in exactly two parts, each once:
Thought: <what the agent has just done, what the task makes you say next; the agent never sees this>
User Response: <the customer's message, or the line {stop} alone>
"""

STRATEGY = played_by_model(UserStrategy.REACT, Method(first, form=FORM))
