"""Audits of packs: whether a pack's tasks measure what an agent does, and nothing else.

`run.audit` reads the tasks (`tasks`, `overlap`), plays them (`rollouts`) with the policies of `env_server.policies`,
and returns a `report.AuditReport`. `table` describes the builtin domains in figures.
"""
