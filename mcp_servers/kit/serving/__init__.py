"""Serving tools over stdio and Streamable HTTP."""
