"""The MCP layer. Every episode is an MCP server, and the catalogue is an MCP server for trainers.

`episode` handles the requests of an episode's client: `tools` lists tools, `calls` plays calls, and `resources` gives
the policy and the opening. `catalogue` serves trainers. `endpoint` serves either of them under a path. `errors`
converts problems to MCP errors.
"""
