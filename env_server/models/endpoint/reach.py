"""Whether anything listens at an endpoint, found out without a request to it."""

import asyncio
import os
from contextlib import suppress
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

CONNECT_S = 1.5
"""Maximum seconds to wait for a connection."""

_PORTS = {"http": 80, "https": 443}


async def why_unreachable(url: str, seconds: float = CONNECT_S) -> str | None:
    """Connect to the host of `url`; return why that fails, or None.

    An endpoint behind a proxy of the environment is not checked, since only the proxy can be reached from here.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme in getproxies() and not proxy_bypass(host):
        return None
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(host, parts.port or _PORTS[parts.scheme])
    except TimeoutError:
        return f"no connection within {seconds:g} s"
    except OSError as e:
        return os.strerror(e.errno) if e.errno and e.errno > 0 else e.strerror or str(e)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return None
