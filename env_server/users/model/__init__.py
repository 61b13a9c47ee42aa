"""Users played by language models: four strategies over any endpoint that supports the OpenAI chat protocol."""

from env_server.users.model.strategies import METHODS
from env_server.users.model.user import ModelUser

__all__ = ["METHODS", "ModelUser"]
