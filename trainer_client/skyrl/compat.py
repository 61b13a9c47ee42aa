"""Import this before SkyRL: release 0.3.0 says that it runs on Python 3.11, and cannot be imported there.

It puts a `typing.TypedDict` into a pydantic model, which pydantic takes from Python 3.12 on only. The one of
`typing_extensions` is the same and is taken everywhere.
"""

import sys
import typing

import typing_extensions

if sys.version_info < (3, 12):
    typing.TypedDict = typing_extensions.TypedDict
