"""The documentation site: its pages, and the reference that is generated from the code.

`make site` builds it. Pages are gathered by the environment of the server, and built by one that has Sphinx alone.
"""
