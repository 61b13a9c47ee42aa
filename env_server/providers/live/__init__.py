"""MCP servers outside this process: child processes, and servers at a URL.

`config.py` reads which ones there are, and `manager.py` calls them.
"""
