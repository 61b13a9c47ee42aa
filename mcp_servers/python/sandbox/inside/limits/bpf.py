"""A small assembler for the filters that seccomp runs at every system call."""

import struct
from typing import Final

# Offsets of the data of a call: struct seccomp_data on a little-endian machine.
NUMBER: Final = 0
ARCHITECTURE: Final = 4


def low(argument: int) -> int:
    """Return the offset of the lower 32 bits of an argument. The first argument is 0."""
    return 16 + 8 * argument


def high(argument: int) -> int:
    """Return the offset of the upper 32 bits of an argument. The first argument is 0."""
    return low(argument) + 4


def _instruction(code: int, yes: int, no: int, value: int) -> bytes:
    return struct.pack("=HBBI", code, yes, no, value)


def load(offset: int) -> bytes:
    """Return instructions that load 32 bits of the call's data into the accumulator."""
    return _instruction(0x20, 0, 0, offset)


def keep(mask: int) -> bytes:
    """Return instructions that clear all bits of the accumulator except those of `mask`."""
    return _instruction(0x54, 0, 0, mask)


def end(action: int) -> bytes:
    """Return instructions that end the program with an action."""
    return _instruction(0x06, 0, 0, action)


def when(value: int, block: bytes) -> bytes:
    """Return instructions that run `block` if the accumulator equals `value`.

    `block` has at most 255 instructions.
    """
    return _instruction(0x15, 0, len(block) // 8, value) + block


def unless(value: int, block: bytes) -> bytes:
    """Return instructions that run `block` if the accumulator differs from `value`.

    `block` has at most 255 instructions.
    """
    return _instruction(0x15, len(block) // 8, 0, value) + block


def from_on(value: int, block: bytes) -> bytes:
    """Return instructions that run `block` if the accumulator is at least `value`.

    `block` has at most 255 instructions.
    """
    return _instruction(0x35, 0, len(block) // 8, value) + block
