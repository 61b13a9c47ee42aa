"""A Python tool: code of models, run in a sandbox."""
