"""A patch that SkyRL 0.3.0 needs on Python 3.11; import this module before SkyRL.

SkyRL puts a `typing.TypedDict` into a pydantic model, which pydantic accepts from Python 3.12 on only. The one of
`typing_extensions` is the same, and pydantic accepts it everywhere.
"""

import sys
import typing

import typing_extensions

if sys.version_info < (3, 12):
    typing.TypedDict = typing_extensions.TypedDict
