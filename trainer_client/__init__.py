"""The trainer's side of the server: a client, training sets, and the environment and recipe for SkyRL.

The packages, each of which imports only those after it:

- `recipes`: commands that train a policy.
- `dataset`: training sets for SkyRL, made from a server's tasks or from a file.
- `skyrl`: the environment and the generator for SkyRL.
- `integrations`: agents and harnesses of other libraries.
- `client`: the client, whose classes are the names of this package.
"""

from trainer_client.client import AgentEnvError, AsyncClient, AsyncEpisode, Client, Episode, ServerError, Unreachable

__all__ = ["AgentEnvError", "AsyncClient", "AsyncEpisode", "Client", "Episode", "ServerError", "Unreachable"]
