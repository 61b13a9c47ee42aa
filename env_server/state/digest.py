"""Row digests and the state hash.

A row's digest is SHA-256 over `[table, key, row]` as canonical JSON, read as a big-endian integer. Canonical JSON has
sorted keys, keeps the order of lists, distinguishes ints from floats, uses the shortest decimals and no white space,
and is UTF-8. A state's hash is the sum of its rows' digests modulo 2**256: `snapshot.py` adds up a
snapshot's rows, and `overlay.py` keeps the sum up to date. So a change of one row costs one digest, and
the order of changes does not matter. The hash is a checksum among trusted writers. It does not protect against an
attacker who can choose rows freely, because sums of digests can be forged with enough free rows.
"""

import hashlib
import json
from typing import Any

import orjson

HASH_VERSION = 1
"""Version of the hash's definition. It is stored beside every hash and grows when the definition changes."""

MODULUS = 1 << 256

_plain = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> str:
    """Return the canonical JSON text of `value`, in ASCII. It identifies values that are not hashed as rows.

    Raises:
        ValueError: for NaN or infinity.
    """
    return _plain.encode(value)


def row_digest(table: str, key: str, row: Any) -> int:
    """Return the digest of one row, in [0, 2**256). The row must be JSON without NaN and infinities."""
    return int.from_bytes(hashlib.sha256(_canonical_bytes([table, key, row])).digest(), "big")


def _canonical_bytes(value: Any) -> bytes:
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    except TypeError:  # an integer of more than 64 bits, or a lone surrogate
        return canonical(value).encode("ascii")


def hash_hex(total: int) -> str:
    """Return a state hash as 64 hexadecimal digits."""
    return f"{total:064x}"
