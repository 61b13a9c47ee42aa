"""Telemetry of the server: metrics and logs."""
