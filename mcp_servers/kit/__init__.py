"""What all servers share: the HTTP client, the MCP server around typed functions, texts and settings."""
