"""`actions`: which gold calls an executed call matches."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from env_server.domains.kit import Dialect, GoldCall


def match_call(
    gold: Sequence[GoldCall],
    name: str,
    arguments: Mapping[str, Any],
    dialect: Dialect,
    already: Collection[int] = (),
    requestor: str = "agent",
) -> list[int]:
    """The indices of gold calls that this executed, error-free call newly matches.

    A call matches one gold call at most: same name and equal values for all of gold's arguments (or for those it
    names in `compare`). Under a dialect with `called_arguments_match` the public benchmark's rule holds: only
    the arguments that were passed count, either side may have called, and one call may match several gold calls.
    """
    loose = dialect.called_arguments_match
    found = [
        i
        for i, call in enumerate(gold)
        if i not in already
        and call.name == name
        and (loose or call.requestor == requestor)
        and _same(call, arguments, loose)
    ]
    return found if loose else found[:1]


def _same(call: GoldCall, arguments: Mapping[str, Any], loose: bool) -> bool:
    if call.compare is not None:
        names: Collection[str] = call.compare
    else:
        names = arguments.keys() if loose else call.arguments.keys()
    absent = object()
    return all(arguments.get(n, absent) == call.arguments.get(n, absent) for n in names)
