"""The exception that stops a benchmark."""


class BenchError(Exception):
    """The benchmark cannot continue, or its result would be invalid. The message says why."""
