"""Episodes for agents that are built with other libraries; each module needs the library it is named after.

They play over the episode's own MCP endpoint with its agent token: the agent reaches this episode's tools and nothing
else, and each of its calls is a turn. Words for the user go through the tool `respond`.
"""
