"""The table of domains in the documentation. Its last column is measured by playing episodes."""

from collections.abc import Iterable

from env_server.audit.rollouts import play_all
from env_server.audit.table import figures, markdown, mean, sample
from env_server.backends.local import LocalBackend
from env_server.domains.pack import Pack
from env_server.policies.oracle.oracle import oracle


async def document(local: LocalBackend, packs: Iterable[Pack]) -> str:
    """Return the table of `packs` in Markdown.

    Raises:
        PackError: if a task cannot be made.
    """
    return markdown([(figures(pack), await turns(local, pack)) for pack in packs])


async def turns(local: LocalBackend, pack: Pack) -> float:
    """Return the mean number of agent messages per episode, over the sample, with the oracle and the default user."""
    return mean([played.turns for played in await play_all(local, pack, sample(pack), {"oracle": oracle})])
