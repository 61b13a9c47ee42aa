"""The error of a path or an expression."""


class SampleProblem(ValueError):
    """A path or an expression of a row that cannot be used, or that has no value here. The message says why."""
