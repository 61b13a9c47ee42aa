"""Pages for people: which paths they have, and the headers that protect a browser."""

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


def is_page(path: str) -> bool:
    """Return whether `path` is a page for people. Every other path belongs to the API."""
    return path in {"/", "/page"} or path.startswith("/page/")
