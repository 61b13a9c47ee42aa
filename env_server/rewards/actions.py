"""`actions`: the gold calls that an executed call matches."""

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
    """Return the indices of the gold calls that this executed, error-free call newly matches.

    A call matches at most one gold call: same name and equal values for all of gold's arguments (or for those named in
    its `compare`). Under a dialect with `called_arguments_match` the rule of the public benchmark holds: only the
    passed arguments count, the call may come from either side, and one call may match several gold calls.
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
