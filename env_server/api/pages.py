"""Pages for people: which paths they have, and the headers that protect a browser. Paths that need no credential."""

from starlette.types import Scope

POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
"""The content security policy of every page, the interactive API document included."""

SECURITY = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in POLICY.items()),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
"""The headers of every page."""


OPEN_PATHS = {"/healthz", "/readyz", "/health"}
"""Paths for load balancers and orchestrators: with any `Host`, without a credential, and without a line in the log."""

DOCUMENT = "/openapi.json"
"""The path of the OpenAPI document. A program gets it with a key, the page `/docs` with the session of a person."""


def is_page(scope: Scope) -> bool:
    """Return whether a request is for a page for people. Every other request is for the API, also a post to `/`."""
    path = scope["path"]
    if path == "/page" or path.startswith("/page/"):
        return True
    if scope.get("method") not in {"GET", "HEAD"}:
        return False
    return path in {"/", "/docs"} or path.startswith("/docs/") or (path == DOCUMENT and _from_a_browser(scope))


def _from_a_browser(scope: Scope) -> bool:
    names = {name for name, _ in scope["headers"]}
    return b"cookie" in names and b"authorization" not in names
