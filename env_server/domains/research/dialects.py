"""Research's rules: there is only the builtin pack."""

from env_server.domains.kit import Dialect

DIALECTS = {"builtin": Dialect(tools=("think", "calculate"))}
