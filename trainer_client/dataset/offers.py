"""What there is to name: packs on the server, and domains in options."""

from collections.abc import Iterable

from schemas import DomainList
from trainer_client.dataset.errors import DataError


def having(listed: DomainList, pack: str) -> list[str]:
    """The domains that have `pack`.

    Raises:
        DataError: if none has.
    """
    names = [domain.name for domain in listed.domains if any(each.name == pack for each in domain.packs)]
    if not names:
        there = sorted({each.name for domain in listed.domains for each in domain.packs})
        raise DataError(f"no domain of this server has a pack {pack!r}; there are: {', '.join(there)}")
    return names


def check_named(option: str, given: Iterable[str], domains: Iterable[str]) -> None:
    """See that an option of single domains names none but `domains`, of which there are tasks here.

    Raises:
        DataError: if it names another, which would do nothing.
    """
    there = sorted(set(domains))
    for name in given:
        if name not in there:
            raise DataError(f"{option} {name}=...: no task here is of that domain; there are: {', '.join(there)}")
