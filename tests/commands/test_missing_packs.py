"""A public pack without its data: every command that takes `--pack` names the variable to set."""

import pytest

from tests.commands.conftest import Run


@pytest.mark.parametrize("pack", ["tau2", "tau1"])
@pytest.mark.parametrize(
    "command",
    [
        ("audit", "--domain", "airline"),
        ("tasks", "--domain", "airline"),
        ("eval", "--domain", "airline", "--policy", "oracle", "--limit", "1"),
        ("play", "--domain", "airline", "--index", "0", "--as", "oracle"),
    ],
    ids=lambda command: command[0],
)
def test_the_variable_is_named(run: Run, command: tuple[str, ...], pack: str) -> None:
    """One line names the variable, and the status is an error."""
    done = run(*command, "--pack", pack)
    assert done.status == 2
    assert f"airline has no pack '{pack}' here; there are: builtin" in done.err
    assert f"set ENV_SERVER_{pack.upper()}_DIR to a directory with" in done.err
