"""Episodes for TRL's `GRPOTrainer`: `environment` for `environment_factory`, `rollout_func` for `rollout_func`."""

from trainer_client.integrations.trl.environment import environment
from trainer_client.integrations.trl.rollout import rollout_func, server_reward

__all__ = ["environment", "rollout_func", "server_reward"]
