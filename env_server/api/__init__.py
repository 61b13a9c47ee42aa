"""HTTP in and out, nothing else: bodies to requests, replies to bytes, errors to problem documents.

`gate` lets requests in (host, credential, size), `play`, `episodes`, `domains` and `health` are the endpoints,
`problems` writes errors, `document` the OpenAPI document.
"""
