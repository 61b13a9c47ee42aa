"""Code for common analyses of series of figures. It runs in the sandbox and needs no packages."""

from typing import Final

CODE: Final = """
import math


def _numbers(values):
    return [float(v) for v in values if isinstance(v, (int, float)) and not isinstance(v, bool)]


def _series(data):
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        names = []
        for row in data:
            for name in row:
                if name not in names:
                    names.append(name)
        columns = {name: _numbers([row.get(name) for row in data]) for name in names}
    elif isinstance(data, dict):
        columns = {name: _numbers(v if isinstance(v, list) else [v]) for name, v in data.items()}
    else:
        columns = {"value": _numbers(data if isinstance(data, list) else [data])}
    return {name: values for name, values in columns.items() if values}


def _mean(values):
    return math.fsum(values) / len(values)


def _deviation(values):
    if len(values) < 2:
        return 0.0
    middle = _mean(values)
    return math.sqrt(math.fsum([(v - middle) ** 2 for v in values]) / (len(values) - 1))


def _changes(values):
    return [b / a - 1 for a, b in zip(values, values[1:]) if a]


def _summary(values):
    ordered = sorted(values)
    half = len(ordered) // 2
    median = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
    return {
        "count": len(values), "first": values[0], "last": values[-1], "min": ordered[0], "max": ordered[-1],
        "mean": _mean(values), "median": median, "standard_deviation": _deviation(values),
    }


def _returns(values):
    changes = _changes(values)
    if not changes:
        return {"periods": 0}
    total = values[-1] / values[0] - 1 if values[0] else None
    best, worst = max(changes), min(changes)
    return {"periods": len(changes), "total": total, "mean": _mean(changes), "best": best, "worst": worst}


def _volatility(values):
    changes = _changes(values)
    deviation = _deviation(changes) if changes else 0.0
    return {"periods": len(changes), "per_period": deviation, "per_year_of_252": deviation * math.sqrt(252)}


def _drawdown(values):
    peak, worst = values[0], 0.0
    for v in values:
        peak = max(peak, v)
        if peak > 0:
            worst = min(worst, v / peak - 1)
    return {"largest": worst, "now": values[-1] / max(values) - 1 if max(values) > 0 else None}


def _trend(values):
    middle_x, middle_y = (len(values) - 1) / 2, _mean(values)
    across = math.fsum([(x - middle_x) ** 2 for x in range(len(values))])
    slope = math.fsum([(x - middle_x) * (y - middle_y) for x, y in enumerate(values)]) / across if across else 0.0
    return {"slope_per_period": slope, "direction": "up" if slope > 0 else "down" if slope < 0 else "flat"}


def _moving_average(values):
    return {f"last_{n}": _mean(values[-n:]) for n in (5, 10, 20, 50, 200) if len(values) >= n}


def _correlation(series):
    result = {}
    names = list(series)
    for at, a in enumerate(names):
        for b in names[at + 1:]:
            n = min(len(series[a]), len(series[b]))
            x, y = series[a][-n:], series[b][-n:]
            scale = _deviation(x) * _deviation(y) * (n - 1) if n > 1 else 0.0
            x0, y0 = _mean(x), _mean(y)
            joint = math.fsum([(p - x0) * (q - y0) for p, q in zip(x, y)])
            result[f"{a} and {b}"] = joint / scale if scale else None
    return result


def _analyse(kind, series):
    kinds = {
        "summary": _summary, "returns": _returns, "volatility": _volatility, "drawdown": _drawdown, "trend": _trend,
        "moving_average": _moving_average,
    }
    if kind == "custom":
        return None
    if not series:
        raise ValueError("data holds no numbers")
    return _correlation(series) if kind == "correlation" else {n: kinds[kind](v) for n, v in series.items()}


series = _series(data)
result = _analyse(analysis_type, series)
"""
