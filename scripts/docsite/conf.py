"""Sphinx's settings for the documentation site. `make site` builds it, and each warning is an error."""

project = "agent-env-server"
author = "agent-env-server contributors"
extensions = ["myst_parser"]
root_doc = "index"
exclude_patterns = ["files/**"]

# The pages are plain Markdown, as any viewer shows them; only the tables of contents are Sphinx's own.
myst_heading_anchors = 4
myst_links_external_new_tab = False
suppress_warnings = ["misc.highlighting_failure"]
"""Blocks that show shortened JSON are not JSON."""

html_theme = "furo"
html_title = project
html_copy_source = False
html_show_sourcelink = False
html_show_sphinx = False
nitpicky = True
html_use_index = False
