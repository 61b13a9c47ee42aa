"""MCP servers outside this process: child processes, and servers at a URL.

`config.py` reads their configuration, and `manager.py` calls them.
"""
