"""`env-server domains --markdown`: print the builtin domains as the table of the documentation."""

import asyncio
import logging

import typer

from env_server.audit.markdown_table import document
from env_server.backends.local import thrown_away
from env_server.commands.logs import configure_logs
from env_server.commands.output import readable_errors
from env_server.domains.discovery import domains, packs
from env_server.domains.packs import builtin
from env_server.settings import Settings


def run() -> None:
    """Print the table."""
    configure_logs(level=logging.WARNING)
    with readable_errors():
        typer.echo(asyncio.run(_table()))


async def _table() -> str:
    """Return the table. It depends on the code alone, not on this machine's settings."""
    async with thrown_away(Settings(_env_file=None, tau2_dir=None, tau1_dir=None)) as local:
        return await document(local, [packs(domain, {})[builtin.NAME] for domain in domains().values()])
