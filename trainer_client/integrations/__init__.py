"""Episodes for agents and harnesses of other libraries; each adapter needs its library, and no other module does.

With `mcp_sdk`, `openai_agents` and `pydantic_ai` an agent plays over the episode's own MCP endpoint with the agent
token: it reaches this episode's tools and nothing else, and each of its calls is a turn. It talks to the user through
the tool `respond`.

With `gymnasium`, `inspect_ai`, `langgraph` and `verl` each message of the model is a turn, and words without a call go
to the user.

`nemo_gym`, `trl` and `verifiers` follow the ways of these trainers, which their modules describe.
"""
