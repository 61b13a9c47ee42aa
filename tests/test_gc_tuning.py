"""Only the process of a server freezes its objects; others collect garbage as they did before."""

import subprocess
import sys

SERVING = """
import gc
from env_server import gc_tuning
gc_tuning.begin_freezing()
with gc_tuning.uncollected():
    assert not gc.isenabled()
loaded = gc.get_freeze_count()
gc_tuning.begin_collecting()
print(loaded > 0, gc.get_freeze_count() >= loaded, gc.get_threshold(), gc.isenabled())
"""

OTHER = """
import gc
from env_server import gc_tuning
before = gc.get_threshold()
with gc_tuning.uncollected(), gc_tuning.uncollected():
    assert not gc.isenabled()
gc_tuning.begin_collecting()
print(gc.get_freeze_count(), gc.get_threshold() == before, gc.isenabled())
"""


def said(program: str) -> str:
    """What a program prints, in a process of its own: other tests of this process may have run a server's command."""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_process_that_is_no_server_freezes_nothing() -> None:
    """Loading turns the collector off and on again, and neither freezes objects nor changes the thresholds."""
    assert said(OTHER) == "0 True True"


def test_a_server_freezes_what_it_has_loaded() -> None:
    """After each loading, live objects are excluded from collection; at the end the thresholds are high."""
    assert said(SERVING) == "True True (50000, 50, 100) True"
