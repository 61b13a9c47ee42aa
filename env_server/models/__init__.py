"""Language models behind the OpenAI chat protocol: endpoints, what asking them costs, and answers that are kept.

Simulated users, judges and the policies of an evaluation all ask through here.
"""

from env_server.models.answer import Answer, Message, Price, ToolCall, Usage
from env_server.models.asker import Asker
from env_server.models.characters import whole
from env_server.models.config import ModelConfig
from env_server.models.endpoint import Endpoint, Endpoints
from env_server.models.errors import EndpointRefused, ModelUnavailable, SpendCapReached
from env_server.models.ledger import Ledger, MemoryLedger
from env_server.models.memory import Memory
from env_server.models.models import Models

__all__ = [
    "Answer",
    "Asker",
    "Endpoint",
    "EndpointRefused",
    "Endpoints",
    "Ledger",
    "Memory",
    "MemoryLedger",
    "Message",
    "ModelConfig",
    "ModelUnavailable",
    "Models",
    "Price",
    "SpendCapReached",
    "ToolCall",
    "Usage",
    "whole",
]
