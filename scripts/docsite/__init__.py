"""The documentation site: its pages, and the reference that is generated from the code.

`make site` builds it. The server's virtual environment gathers the pages, and one with only Sphinx builds them.
"""
