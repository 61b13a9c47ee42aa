"""The fixtures of tests/records: a store and the address of its database."""

from tests.records.conftest import store, url

__all__ = ["store", "url"]
