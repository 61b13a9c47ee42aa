import json

import pytest
from typer.testing import CliRunner

from env_server.bench import BenchError, command
from env_server.bench.measures import tools
from env_server.bench.measures.steps import Effort
from env_server.bench.measures.tools import CLIENT, CODE, LOOKUP, ROWS, THROUGH
from env_server.cli import app

TINY = Effort(seconds=0.05, rounds=2)


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the run very short, and keep the garbage collector as it was."""
    monkeypatch.setattr(command, "QUICK", TINY)
    monkeypatch.setattr(tools, "_as_the_server_does", lambda: None)


def test_calls_of_the_tool_servers_are_measured() -> None:
    """Each look-up is compared with the other ways, code with a sandbox if the machine has one, and aims are shown."""
    result = CliRunner().invoke(app, ["bench", "--tools", "--quick", "--json"])
    assert result.exit_code == 0, result.output
    found = json.loads(result.stdout.splitlines()[-1])
    assert {LOOKUP, THROUGH, CLIENT, ROWS} <= found["tools"].keys()
    assert set(found["tools"]) | set(found["missing"]) == {LOOKUP, THROUGH, CLIENT, ROWS, CODE}
    assert found["tools"][LOOKUP]["per_cpu_s"] > 0
    assert found["lookups_of"][ROWS] < 1 < found["lookups_of"][CLIENT]
    assert "≥ 1,500" in result.stderr


def test_a_wrong_answer_ends_the_measurement(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look-up without the expected bars ends the measurement."""
    monkeypatch.setattr(tools, "BARS", 21)
    with pytest.raises(BenchError, match="did not give 21 bars"):
        tools.ToolsBench(TINY, lambda _note: None).run()


def test_one_comparison_at_a_time() -> None:
    """The option cannot be combined with another comparison."""
    result = CliRunner().invoke(app, ["bench", "--tools", "--users"])
    assert result.exit_code == 2
    assert "at a time" in result.stderr
