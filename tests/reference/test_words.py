"""The tools look to a model as in the public benchmarks, by the checkouts' own code."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from env_server.domains.discovery import domains
from env_server.domains.packs import PUBLIC, tau1, tau2
from tests.reference import upstream, vectors

pytestmark = pytest.mark.reference


def checkout(variable: str) -> Path:
    """The checkout that `variable` names; without one, a test that needs it says so."""
    found = os.environ.get(variable)
    if not found:
        pytest.skip(f"no checkout here: set {variable} to one, sources included")
    return Path(found)


@pytest.mark.parametrize(
    ("name", "variable", "counts"),
    [
        ("tau1", tau1.VARIABLE, {"airline": 14, "retail": 16}),
        ("tau2", tau2.VARIABLE, {"airline": 14, "retail": 16, "telecom": 43}),
    ],
)
def test_schemas_are_upstreams_to_the_byte(name: str, variable: str, counts: dict[str, int]) -> None:
    """The schemas of both sides equal those that upstream's code makes from the same files, in the same order."""
    directory = checkout(variable)
    program = [sys.executable, upstream.__file__, name, str(directory)]
    said = subprocess.run(program, capture_output=True, text=True, check=True).stdout
    theirs: dict[str, list[Any]] = json.loads(said)
    packs = {domain: PUBLIC[name].load(domains()[domain], directory) for domain in theirs}
    ours = {domain: [*pack.schemas, *pack.user_schemas] for domain, pack in packs.items()}
    assert {domain: len(schemas) for domain, schemas in ours.items()} == counts
    for domain, schemas in theirs.items():
        assert [json.dumps(schema) for schema in ours[domain]] == [json.dumps(schema) for schema in schemas]
    assert {pack.tool_texts for pack in packs.values()} == {"upstream"}


@pytest.mark.usefixtures("reference")
@pytest.mark.parametrize("name", ["tau1", "tau2"])
def test_data_alone_has_our_words(name: str) -> None:
    """The recordings have no sources, so that the words are ours."""
    assert PUBLIC[name].load(domains()["retail"], vectors.DIRECTORY / name).tool_texts == "own"
