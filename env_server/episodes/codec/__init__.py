"""Encoding of rows, replies, texts, tokens and addresses for storage and for responses."""
