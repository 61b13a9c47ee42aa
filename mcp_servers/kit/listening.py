"""The socket that a command listens on."""

import socket
import sys


def listen(who: str, host: str, port: int) -> socket.socket:
    """A listening socket at `host` and `port`, 0 for a free one; ends the process with one line where there is none.

    Args:
        who: The command's name, for that line.
        host: A name or an address, also one of IPv6.
        port: The port.
    """
    reason = "a port is a number from 0 to 65535"
    if port in range(65_536):
        try:
            return socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET)
        except (OSError, UnicodeError) as e:
            reason = getattr(e, "strerror", None) or str(e)
    sys.exit(f"{who}: cannot listen on {host} port {port}: {reason}")


def url(listening: socket.socket, host: str) -> str:
    """Where a socket at `host` is reached: scheme, host and the port that it has."""
    at = f"[{host}]" if ":" in host else host
    return f"http://{at}:{listening.getsockname()[1]}"


def say(line: str) -> None:
    """Print a line on stderr, where the process has one."""
    if sys.stderr is not None:
        print(line, file=sys.stderr, flush=True)
