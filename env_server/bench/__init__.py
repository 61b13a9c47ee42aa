"""`env-server bench`: what a step, a reset and an episode cost on this machine, beside a bare FastAPI echo.

`command` is the entry, `measure` the order of measurements, `servers` starts the processes under test, `load` is the
process that drives them over `http`, `plans` says what it plays, `scoring` times the score in process, `figures` holds
the results and `report` shows them. `scale` compares a larger world with the usual one, with `footprint` for the memory
of an episode. Nothing here is imported by the server.
"""
