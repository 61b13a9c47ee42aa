"""Tools that come from MCP servers: their specification, and the providers that call them."""
