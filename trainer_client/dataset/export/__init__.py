"""Recorded episodes as data for supervised and preference training: `trainer data export`."""
