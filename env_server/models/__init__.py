"""Language models behind the OpenAI chat protocol: endpoints, costs of requests, and cached answers.

Simulated users, judges and the policies of an evaluation all send their requests through this package.
"""

from env_server.models.answer import Message, ModelAnswer, Price, ToolCall, Usage
from env_server.models.answer_cache import AnswerCache
from env_server.models.asker import Asker
from env_server.models.config import ModelConfig
from env_server.models.endpoint.characters import whole
from env_server.models.endpoint.endpoint import Endpoint, Endpoints
from env_server.models.errors import EndpointRefused, ModelUnavailable, SpendCapReached
from env_server.models.models import Models
from env_server.models.token_usage import MemoryLedger, TokenLedger

__all__ = [
    "AnswerCache",
    "Asker",
    "Endpoint",
    "EndpointRefused",
    "Endpoints",
    "MemoryLedger",
    "Message",
    "ModelAnswer",
    "ModelConfig",
    "ModelUnavailable",
    "Models",
    "Price",
    "SpendCapReached",
    "TokenLedger",
    "ToolCall",
    "Usage",
    "whole",
]
