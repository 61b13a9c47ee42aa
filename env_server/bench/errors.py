"""The one error of the benchmark."""


class BenchError(Exception):
    """The benchmark cannot go on, or what it measured would not count; the message says why."""
