"""The store and the address of tests/records."""

from tests.records.conftest import store, url

__all__ = ["store", "url"]
