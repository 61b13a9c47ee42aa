"""Attacks on the connection between worker and server, and on the interpreter around the code."""

from tests.mcp_servers.python.sandbox.attacks.kinds import Attack

_OUTSIDE = "belongs to the sandbox"
_FRAME = """
import json, struct
def frame(identity, value='"forged"', size=None):
    body = json.dumps({'stdout': 'forged', 'stderr': '', 'value': value, 'error': None}).encode()
    return identity + struct.pack('!I', len(body) if size is None else size) + body
def identity():
    at = sys._getframe()
    while 'identity' not in at.f_locals or not isinstance(at.f_locals['identity'], bytes):
        at = at.f_back
    return at.f_locals['identity']
"""

ATTACKS = [
    Attack("a reply of its own", f"{_FRAME}\nos.write(3, frame(bytes(16)))", killed=_OUTSIDE),
    Attack(
        "a reply that claims to be huge", f"{_FRAME}\nos.write(3, frame(identity(), size=2**32 - 1))", killed=_OUTSIDE
    ),
    Attack(
        "a reply that is no JSON",
        "import struct\nos.write(3, bytes(16) + struct.pack('!I', 4) + b'[[[[')",
        killed=_OUTSIDE,
    ),
    Attack("garbage", "os.write(3, os.urandom(100))", killed=_OUTSIDE),
    Attack(
        "a reply with other fields",
        f"{_FRAME}\nos.write(3, identity() + struct.pack('!I', 8) + b'{{\"a\": 1}}')",
        killed=_OUTSIDE,
    ),
    Attack(
        "a part of a reply",
        f"{_FRAME}\nos.write(3, frame(identity())[:30]); time.sleep(9)",
        killed="seconds",
        seconds=0.3,
    ),
    Attack("the connection closed", "os.close(3)", killed="status"),
    Attack("the connection replaced", "os.dup2(os.open('/dev/null', os.O_RDWR), 3)"),
    Attack("the requests read", "os.read(3, 1)", killed="seconds", seconds=0.3),
    Attack("every descriptor closed", "os.closerange(0, 64); time.sleep(0.5)", killed="closed the connection"),
    Attack("a printer that lies", "import json; json.dumps = lambda *a, **k: '{}'", killed=_OUTSIDE),
    Attack("no printer", "import builtins; builtins.len = None", killed="status"),
    Attack("the server's modules", "import mcp_servers.world", error="ModuleNotFoundError"),
    Attack(
        "the server's source",
        "import mcp_servers.python.sandbox.inside as i; open(i.__path__[0] + '/zygote.py').read()",
        error="Error",
    ),
    Attack("modules from elsewhere", "sys.path.insert(0, FOLDER); import secret", error="ModuleNotFoundError"),
    Attack(
        "packages of the machine",
        "sys.path += [p + '/site-packages' for p in sys.path]; import pytest",
        error="Error",
    ),
    Attack(
        "modules loaded again",
        "for name in list(sys.modules):\n    if name.startswith('mcp'): del sys.modules[name]\nimport mcp_servers.kit",
        error="ModuleNotFoundError",
    ),
    Attack("the environment", "dict(os.environ), ctypes.c_char_p.in_dll(_libc, 'environ').value", error=None),
    Attack("names of others", "import pwd; os.getlogin()", error="Error"),
    Attack(
        "frames above the code",
        "[frame.f_locals.get('terms') for frame in (sys._getframe(5), sys._getframe(6))] and None",
    ),
    Attack("an end of the interpreter", "sys.exit('bye')", error="SystemExit"),
    Attack(
        "a last word",
        "import atexit; atexit.register(lambda: open(FOLDER + '/x', 'w')); os._exit(1)",
        killed="status 1",
    ),
]
