"""The environment `agent-env` for verifiers. The library finds an environment by the name of an installed module."""

from trainer_client.integrations.verifiers.environment import AgentEnvEnv, AgentEnvTaskset

__all__ = ["AgentEnvEnv", "AgentEnvTaskset"]
