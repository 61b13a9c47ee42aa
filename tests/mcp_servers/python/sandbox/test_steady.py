"""The same calls give the same text, in every worker."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from mcp_servers.python.sandbox.pool import ProcessBackend
from tests.mcp_servers.python.sandbox.conftest import Talk

NOW = datetime(2026, 3, 2, 16, 30, 15, 250_000, tzinfo=timezone(timedelta(hours=-5)))
UTC_TEXT = "2026-03-02 21:30:15.250000"


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("import datetime; str(datetime.datetime.now())", UTC_TEXT),
        ("import datetime; str(datetime.datetime.today())", UTC_TEXT),
        ("import datetime; str(datetime.date.today())", "2026-03-02"),
        ("import datetime as d; str(d.datetime.now(d.timezone.utc))", UTC_TEXT + "+00:00"),
        (
            "import datetime as d, zoneinfo as z; str(d.datetime.now(z.ZoneInfo('Asia/Tokyo')))",
            "2026-03-03 06:30:15.250000+09:00",
        ),
        ("from datetime import datetime; str(datetime.now(tz=None))", UTC_TEXT),
        ("import time; str(time.time())", str(NOW.timestamp())),
        ("import time; str(time.time_ns())", str(int(NOW.timestamp() * 1000) * 1_000_000)),
        ("import time; time.strftime('%H:%M')", "21:30"),
        ("import time; time.ctime()", "Mon Mar  2 21:30:15 2026"),
        ("import time; str(time.localtime().tm_hour)", "21"),
        ("import time; str(time.clock_gettime(time.CLOCK_REALTIME))", str(NOW.timestamp())),
        ("import pandas as pd; str(pd.Timestamp.now())", UTC_TEXT),
        ("import pandas as pd; str(pd.Timestamp.today().date())", "2026-03-02"),
        ("class D(__import__('datetime').datetime): pass\ntype(D.now()).__name__", "D"),
    ],
)
async def test_clock(talk: Talk, code: str, value: str) -> None:
    """Every usual way to ask for the time gives the time of the call, in UTC."""
    async with talk() as conversation:
        assert (await conversation.run(code, now=NOW)).value == repr(value)


async def test_the_clock_moves_with_the_calls_and_runs_without_a_time(talk: Talk) -> None:
    """Each call has its own time; without one, the clock is the machine's."""
    async with talk() as conversation:
        ask = "import datetime as d; (d.date.today() - d.date(2026, 3, 2)).days"
        assert (await conversation.run(ask, now=NOW + timedelta(days=3))).value == "3"
        real = (await conversation.run("import time; time.time()")).value or ""
        assert abs(float(real) - datetime.now(UTC).timestamp()) < 3600


async def test_two_workers_draw_the_same(talk: Talk) -> None:
    """Random numbers, entropy, identifiers, names of temporary files, hashes and sets do not differ."""
    code = (
        "import random, uuid, secrets, os, tempfile, numpy as np\n"
        "[random.random(), random.Random().random(), random.SystemRandom().random(), str(uuid.uuid4()), "
        "secrets.token_hex(4), os.urandom(4), tempfile.mkdtemp(), np.random.rand(), np.random.default_rng().random(), "
        "hash('text'), list({'a', 'b', 'c', 'd'}), lambda: 1]"
    )
    values = []
    for _ in range(2):
        async with talk() as conversation:
            values.append((await conversation.run(code)).value)
    assert values[0] == values[1]
    assert values[0]


async def test_another_seed_draws_something_else() -> None:
    """The seed is a setting."""
    drawn = set()
    for seed in (0, 1):
        backend = ProcessBackend(packages=(), spare=0, seed=seed)
        try:
            drawn.add((await backend.open().run("import random, os; random.random(), os.urandom(3)")).value)
        finally:
            await backend.close()
    assert len(drawn) == 2
