"""An MCP-first environment server: many live episodes of tool-use domains behind /reset and /step."""
