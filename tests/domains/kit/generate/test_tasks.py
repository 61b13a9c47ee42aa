import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from env_server.domains.kit.generate import tasks
from env_server.domains.retail.tasks import TASKS

SERVER = Path(tasks.__file__).parents[3]
READ = sorted(
    path.relative_to(SERVER).as_posix()
    for folder in tasks.INTERPRETERS
    for path in (SERVER / folder).rglob("*")
    if path.suffix in {".py", ".bin"}
)


def test_the_digest_covers_how_users_interpret_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A change of any module or weights by which users interpret a message, also in a subfolder, changes the digest."""
    for folder in tasks.INTERPRETERS:
        shutil.copytree(SERVER / folder, tmp_path / folder)
    monkeypatch.setattr(tasks, "_PACKAGE", tmp_path)

    seen = {replace(TASKS).digest}
    for count, path in enumerate(READ, start=2):
        with (tmp_path / path).open("a", encoding="utf-8") as file:
            file.write("# changed\n")
        seen.add(replace(TASKS).digest)
        assert len(seen) == count, path
