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
    """A histogram of seconds, one for each set of label values."""

    def __init__(
        self,
        name: str,
        text: str,
        bounds: Sequence[float],
        registry: CollectorRegistry,
        labels: Sequence[str] = (),
    ) -> None:
        """Register the histogram `name` with upper `bounds`."""
        self._name, self._text, self._bounds, self._labels = name, text, list(bounds), labels
        self._counts: dict[tuple[str, ...], list[int]] = {} if labels else {(): self._none()}
        self._sums: defaultdict[tuple[str, ...], float] = defaultdict(float)
        registry.register(self)

    def observe(self, seconds: float, labels: tuple[str, ...] = ()) -> None:
        """Count one duration."""
        counts = self._counts.get(labels)
        if counts is None:
            counts = self._counts[labels] = self._none()
        counts[bisect_left(self._bounds, seconds)] += 1
        self._sums[labels] += seconds

    def _none(self) -> list[int]:
        return [0] * (len(self._bounds) + 1)

    def describe(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric family without samples."""
        yield HistogramMetricFamily(self._name, self._text, labels=self._labels)

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the metric family with cumulative buckets."""
        family = HistogramMetricFamily(self._name, self._text, labels=self._labels)
        for labels, counts in list(self._counts.items()):
            total, buckets = 0, []
            for bound, count in zip([*map(str, self._bounds), "+Inf"], counts, strict=True):
                total += count
                buckets.append((bound, float(total)))
            family.add_metric(labels, buckets, self._sums[labels])
        yield family
