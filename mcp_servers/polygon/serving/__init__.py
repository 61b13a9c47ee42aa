"""Polygon's REST API, served from the world. Each module serves one part."""
