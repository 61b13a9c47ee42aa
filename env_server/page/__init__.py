"""The page: domains, tasks and episodes in a browser.

`/` and every path below `/page/` are pages, made on the server from templates; all other paths are the API. A person
who signs in with a key gets a session cookie, which opens pages and never the API. Pages read the store, so they also
show turns that another process committed. `routes.py` has the table of pages.
"""
