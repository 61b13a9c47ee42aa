"""MCP in and out: every episode is an MCP server, and the catalogue is one for trainers.

`episode` is what a client of one episode may ask for: `tools` lists, `play` calls, `reading` has policy and opening.
`catalogue` is for those who begin episodes. `endpoint` puts either under a path; `errors` says what went wrong.
"""
