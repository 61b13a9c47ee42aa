"""The process's pool of connections."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from trainer_client import Client
from trainer_client.pool import ServerSettings, client, settings_from

THREADS = 32


def test_all_threads_share_one_client() -> None:
    """The threads of a first batch, who all ask at once, get one client; an impatient one is another."""
    settings, ready = ServerSettings(url="http://127.0.0.1:1/shared"), Barrier(THREADS)

    def ask(_: int) -> Client:
        ready.wait()
        return client(settings)

    with ThreadPoolExecutor(THREADS) as threads:
        found = set(threads.map(ask, range(THREADS)))
    assert len(found) == 1
    assert client(settings, patient=False) not in found


def test_settings_come_from_objects_and_mappings() -> None:
    """What is not said has its default, and what is not ours is left alone."""
    given = ServerSettings(url="http://there", patience_s=3.0)
    assert settings_from(given) == settings_from({"url": "http://there", "patience_s": 3.0, "other": 1}) == given
    assert settings_from({}) == ServerSettings()
