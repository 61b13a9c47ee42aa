"""The HTTP layer. It turns request bodies into requests, replies into bytes and errors into problem documents.

`gate` checks host, credential and body size of each request. `turns`, `episodes`, `domains` and `health` are the
endpoints, `problems` writes errors, and `document` makes the OpenAPI document.
"""
