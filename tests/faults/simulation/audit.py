"""The audit after a run, in a process that starts after all faults."""

import asyncio

from agent_env_schemas import CloseRequest, StepRequest
from env_server.episodes import Episodes
from tests.faults.play.clients import Acknowledged, Ledger
from tests.faults.play.records import compare, hold
from tests.faults.simulation.outside import OUTSIDE, SOURCES
from tests.faults.simulation.process import Process
from tests.faults.simulation.world import World


async def audit(world: World, ledger: Ledger) -> None:
    """Send every acknowledged request again, close all episodes, and compare all records.

    Raises:
        Violation: if something does not agree.
    """
    last = world.begin()
    while not last.ready_for_requests:
        hold(not last.ended, "a process cannot start although nothing is wrong")
        await asyncio.sleep(0.05)
    for told in ledger.acknowledged:
        await _retried(last, told)
    await last.run(lambda: _checked(last, ledger))
    for told in ledger.acknowledged:  # all episodes are over now; what was acknowledged stays
        await _retried(last, told)
    for process in [p for p in world.living if not p.ended]:
        await process.stop()
        hold(process.ended, "a process does not end")


async def _retried(last: Process, told: Acknowledged) -> None:
    if told.path is not None:
        reply = await last.handle(told.path, told.body, cut_off=False)
    else:
        assert told.key is not None
        reply = await last.keyed(StepRequest.model_validate_json(told.body), told.key)
    same = (reply.status, reply.body) == (200, told.answer)
    hold(same, "a retry has another answer", told.path or told.key, told.body, told.answer, reply)


async def _checked(process: Process, ledger: Ledger) -> None:
    """Close every episode, which finishes what was interrupted, and check all records."""
    assert process.app is not None
    episodes: Episodes = await process.app.state.episodes.get()
    for known in ledger.episodes:
        await episodes.close(known.episode_id, CloseRequest())
    compare(episodes.store, SOURCES, ledger, OUTSIDE.sent)
