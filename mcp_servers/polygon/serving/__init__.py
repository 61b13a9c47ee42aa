"""Polygon's REST from the world, a module for each part of it."""
