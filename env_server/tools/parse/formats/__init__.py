"""Formats in which models write tool calls as text, one module each."""
