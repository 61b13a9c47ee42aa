"""Pages for people: which paths they have, and the headers that protect a browser."""

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


def is_page(scope: Scope) -> bool:
    """Return whether a request is for a page for people. Every other request is for the API, also a post to `/`."""
    path = scope["path"]
    return (path == "/" and scope.get("method") in {"GET", "HEAD"}) or path == "/page" or path.startswith("/page/")
