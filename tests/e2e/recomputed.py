"""Verifies a database in this process, which saves the start of another one."""

import asyncio
from collections.abc import Collection
from dataclasses import asdict
from functools import cache
from typing import Any

from env_server.domains.discovery import domains, packs
from env_server.domains.packs import Packs
from env_server.episodes.read.verify import Verifier
from env_server.records import Store

MOST = 10_000
"""More episodes than any test plays."""


def recomputed(url: str, only: Collection[str]) -> dict[str, Any]:
    """What `env-server verify --all` says of a database; `only` names the domains that its server has, if not all."""
    store = Store.open(url)
    try:
        verifier = Verifier(store, {name: _packs(name) for name in only or domains()})
        for key in store.catalog.snapshot_keys():
            verifier.base(key)
        page = store.listings.episodes(limit=MOST)
        for line in page.episodes:
            verifier.episode(line.episode)
    finally:
        asyncio.run(store.close())
    found = verifier.findings
    return {"ok": not found.mismatches and not found.unchecked, **asdict(found)}


@cache
def _packs(name: str) -> Packs:
    return packs(domains()[name], {})
