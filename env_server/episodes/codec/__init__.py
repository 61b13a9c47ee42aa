"""Encoding: rows, replies, texts, tokens and addresses, as they are stored and sent."""
