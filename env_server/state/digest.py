"""Row digests and the state hash.

A row's digest is SHA-256 over `[table, key, row]` as canonical JSON (sorted keys, list order kept, ints and floats
told apart, shortest decimals, no white space, UTF-8), read as a big-endian integer. A state's hash is the sum of its
rows' digests modulo 2**256: adding, changing or removing a row costs one digest, and the order of changes does not
matter. It is a checksum among trusted writers, not a defence against someone who may choose rows freely (sums of
digests can be forged with enough free rows).
"""

import hashlib
import json
from typing import Any

import orjson

HASH_VERSION = 1
"""Written beside every stored hash; a change of the definition raises it."""

MODULUS = 1 << 256

_plain = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> str:
    """Canonical JSON text of `value`, in ASCII; what is not hashed as a row is identified by it.

    Raises:
        ValueError: for NaN or infinity.
    """
    return _plain.encode(value)


def row_digest(table: str, key: str, row: Any) -> int:
    """The digest of one row, in [0, 2**256). The row must be JSON without NaN and infinities."""
    return int.from_bytes(hashlib.sha256(_canonical_bytes([table, key, row])).digest(), "big")


def _canonical_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer of more than 64 bits, or half a surrogate pair
        return canonical(value).encode("ascii")


def hash_hex(total: int) -> str:
    """A state hash as 64 hexadecimal digits."""
    return f"{total:064x}"
