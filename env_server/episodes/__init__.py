"""The episode state machine: turn order, limits, retries, commits, stop reasons.

`service` is the front: everything the API offers is one method there. `begin`, `agent_turn`, `user_turn` and
`ending` play; `restore` and `library` bring episodes and packs back from SQL; `cache` and `expiry` forget them.
"""

from env_server.episodes.service import Episodes

__all__ = ["Episodes"]
