"""Requests to the API behind a server: HTTP, rate limits, replies and their wire forms."""
