"""Runs untrusted code, either in restricted processes or in an interpreter without access to the system."""
