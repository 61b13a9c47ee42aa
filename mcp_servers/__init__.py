"""MCP tool servers: polygon, fmp, tavily, slack and python, and the offline world that serves them without keys."""
