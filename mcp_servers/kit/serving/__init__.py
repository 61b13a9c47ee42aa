"""Serves tools over stdio and Streamable HTTP."""
