"""Only the process of a server freezes its objects; others collect garbage as they did before."""

import gc
import subprocess
import sys

from env_server.gc_tuning import begin_collecting, uncollected

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


def test_a_process_that_is_no_server_freezes_nothing() -> None:
    """Loading turns the collector off and on again, and neither freezes objects nor changes the thresholds."""
    frozen, before = gc.get_freeze_count(), (gc.get_threshold(), gc.isenabled())
    with uncollected(), uncollected():
        assert not gc.isenabled()
    begin_collecting()
    assert (gc.get_threshold(), gc.isenabled()) == before
    assert gc.get_freeze_count() <= frozen  # a frozen object that is released counts no more


def test_a_server_freezes_what_it_has_loaded() -> None:
    """After each loading, live objects are excluded from collection; at the end the thresholds are high."""
    done = subprocess.run([sys.executable, "-c", SERVING], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True True (50000, 50, 100) True"
