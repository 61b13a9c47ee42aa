"""Counters of the step path: plain numbers in dicts, converted to Prometheus families when metrics are collected."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector


class Counts(Collector):
    """A counter with labels. `add(labels)` counts; `labels` is a tuple in the declared order."""

    def __init__(self, name: str, text: str, labels: Sequence[str], registry: CollectorRegistry) -> None:
        """Register the counter `name`."""
        self._name, self._text, self._labels = name, text, labels
        self._values: defaultdict[tuple[str, ...], float] = defaultdict(float)
        registry.register(self)

    def add(self, labels: tuple[str, ...], amount: float = 1) -> None:
        """Count `amount` more."""
        self._values[labels] += amount

    def describe(self) -> Iterator[CounterMetricFamily]:
        """Yield the metric family without samples."""
        yield CounterMetricFamily(self._name, self._text, labels=self._labels)

    def collect(self) -> Iterator[CounterMetricFamily]:
        """Yield the metric family with one sample for each label set."""
        family = CounterMetricFamily(self._name, self._text, labels=self._labels)
        for labels, value in list(self._values.items()):
            family.add_metric(labels, value)
        yield family


class Times(Collector):
    """A histogram of seconds without labels."""

    def __init__(self, name: str, text: str, bounds: Sequence[float], registry: CollectorRegistry) -> None:
        """Register the histogram `name` with upper `bounds`."""
        self._name, self._text, self._bounds = name, text, list(bounds)
        self._counts = [0] * (len(bounds) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, seconds: float) -> None:
        """Count one duration."""
        self._counts[bisect_left(self._bounds, seconds)] += 1
        self._sum += seconds

    def describe(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric family without samples."""
        yield HistogramMetricFamily(self._name, self._text)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric family with cumulative buckets."""
        total, buckets = 0, []
        for bound, count in zip([*map(str, self._bounds), "+Inf"], self._counts, strict=True):
            total += count
            buckets.append((bound, float(total)))
        family = HistogramMetricFamily(self._name, self._text)
        family.add_metric([], buckets, self._sum)
        yield family
