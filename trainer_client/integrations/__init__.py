"""Episodes for agents of other libraries; each of `mcp_sdk`, `openai_agents` and `pydantic_ai` needs its library.

An agent plays over the episode's own MCP endpoint with the agent token: it reaches this episode's tools and nothing
else, and each of its calls is a turn. It talks to the user through the tool `respond`.
"""
