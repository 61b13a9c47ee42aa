"""The exception of the benchmark."""


class BenchError(Exception):
    """The benchmark cannot continue, or its result would be invalid. The message says why."""
