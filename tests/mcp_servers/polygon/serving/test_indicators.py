from typing import Any

import numpy as np
import pandas as pd  # type: ignore[import-untyped]
import pytest

from mcp_servers.polygon.serving.indicators import ema, macd, rsi, sma
from mcp_servers.world import NOW, read
from tests.mcp_servers.polygon.asking import ask, refused, store


@pytest.fixture(scope="module")
def closes() -> list[float]:
    """The closes of a company's last year."""
    return [bar["close"] for bar in read.last_bars(store(), "ORCA", 250, NOW)]


def test_the_simple_average_is_pandas(closes: list[float]) -> None:
    """Each value is the mean of as many prices as the window has."""
    theirs = pd.Series(closes).rolling(20).mean().to_numpy()
    np.testing.assert_allclose(np.array(sma(closes, 20), dtype=float), theirs)


def test_the_exponential_average_is_pandas(closes: list[float]) -> None:
    """It begins with a mean; from then on it is pandas' own recursion."""
    seeded = pd.Series([float(np.mean(closes[:20])), *closes[20:]])
    theirs = seeded.ewm(span=20, adjust=False).mean().to_numpy()
    np.testing.assert_allclose(np.array(ema(closes, 20)[19:], dtype=float), theirs)


def test_relative_strength_is_wilders(closes: list[float]) -> None:
    """Gains and losses are smoothed with a share of one in the window."""
    changes = np.diff(closes)
    up, down = np.maximum(changes, 0), np.maximum(-changes, 0)
    theirs = []
    for part in (up, down):
        seeded = pd.Series([part[:14].mean(), *part[14:]])
        theirs.append(seeded.ewm(alpha=1 / 14, adjust=False).mean().to_numpy())
    np.testing.assert_allclose(np.array(rsi(closes, 14)[14:], dtype=float), 100 - 100 / (1 + theirs[0] / theirs[1]))


def test_macd_is_the_difference_of_two_averages(closes: list[float]) -> None:
    """The line is short minus long, the signal its exponential average."""
    found = macd(closes, 12, 26, 9)
    lines = [a - b for a, b in zip(ema(closes, 12)[25:], ema(closes, 26)[25:], strict=True) if a and b]
    signals = ema(lines, 9)
    assert found[: 25 + 8] == [None] * 33
    known = [pair for pair in found if pair is not None]
    np.testing.assert_allclose([pair[0] for pair in known], lines[8:])
    np.testing.assert_allclose([pair[1] for pair in known], np.array(signals[8:], dtype=float))


@pytest.mark.parametrize("function", [sma, ema, rsi])
@pytest.mark.parametrize("count", [0, 1, 13, 14, 15])
def test_too_few_prices(function: object, count: int) -> None:
    """With too few prices there are no values, and as many as prices in any case."""
    found = function([1.0 + i for i in range(count)], 14)  # type: ignore[operator]
    assert len(found) == count


@pytest.mark.parametrize("name", ["sma", "ema", "rsi", "macd"])
@pytest.mark.parametrize("span", ["hour", "day", "week", "month"])
async def test_values_in_pages(name: str, span: str) -> None:
    """The newest value comes first; pages make up the whole."""
    asked: dict[str, Any] = {
        "timespan": span,
        "window": "5",
        "short_window": "3",
        "long_window": "5",
        "signal_window": "2",
    }
    path = f"/v1/indicators/{name}/ORCA"
    whole = (await ask(path, **asked, limit=20))["results"]["values"]
    assert [value["timestamp"] for value in whole] == sorted((v["timestamp"] for v in whole), reverse=True)
    first = await ask(path, **asked, limit=8)
    assert first["results"]["values"] == whole[:8]
    assert "next_url" in first


async def test_bounds_and_order() -> None:
    """Values can be asked for by time, the oldest first."""
    asked: dict[str, Any] = {"timestamp.gte": "2025-03-03", "timestamp.lte": "2025-03-07", "order": "asc"}
    found = (await ask("/v1/indicators/sma/ORCA", **asked))["results"]["values"]
    assert len(found) == 5
    assert found[0]["timestamp"] < found[-1]["timestamp"]
    assert (await ask("/v1/indicators/sma/NOPE"))["results"]["values"] == []
    assert (await refused("/v1/indicators/sma/ORCA", timespan="fortnight"))[0] == 400
    assert (await refused("/v1/indicators/sma/ORCA", series_type="middle"))[0] == 400
