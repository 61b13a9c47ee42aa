"""`env-server bench`: the cost of a step, a reset and an episode on this machine, beside that of a bare FastAPI echo.

`command` is the entry point. `measures` has the measurements, `servers` starts the processes under test, and `load` is
the process that sends requests to them over HTTP. `plans` defines the calls to play, `figures` holds the results and
`report` prints them. The server imports nothing from this package.
"""


class BenchError(Exception):
    """The benchmark cannot continue, or its result would be invalid. The message says why."""
