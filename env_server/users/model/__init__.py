"""Users that are language models: four strategies over any endpoint that speaks the OpenAI chat protocol."""

from env_server.users.model.strategies import METHODS
from env_server.users.model.user import ModelUser

__all__ = ["METHODS", "ModelUser"]
