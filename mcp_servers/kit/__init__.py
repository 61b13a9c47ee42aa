"""Code that all servers share: the HTTP client, the MCP server around typed functions, text functions and settings."""
