"""Telemetry of the server: metrics, the log of requests, and traces."""
