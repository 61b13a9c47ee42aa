"""The query of a request. Unknown parameters are refused, because a misspelt filter would return everything."""

from urllib.parse import parse_qsl

from fastapi.routing import APIRoute
from starlette.routing import Match
from starlette.types import Scope

from agent_env_schemas import ErrorCode
from env_server.errors import ProblemError


def check_query(scope: Scope) -> None:
    """Check the names of the query's parameters, for an endpoint of the documented API.

    Raises:
        ProblemError: `invalid_request` if the endpoint of the request has no such parameter.
    """
    if not scope["query_string"]:
        return
    given = [name for name, _ in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)]
    for route in scope["app"].router.routes:
        if isinstance(route, APIRoute) and route.include_in_schema and route.matches(scope)[0] is Match.FULL:
            known = [field.alias for field in route.dependant.query_params]
            unknown = next((name for name in given if name not in known), None)
            if unknown is not None:
                offered = f"the parameters are {', '.join(known)}" if known else "it has none"
                raise ProblemError(ErrorCode.INVALID_REQUEST, f"{unknown}: no such query parameter here; {offered}")
            return
