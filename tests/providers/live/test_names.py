"""The names by which agents know the tools of servers."""

from hypothesis import given
from hypothesis import strategies as st

from env_server.providers.live.names import agent_names, qualified

SERVERS = st.sampled_from(["a", "b", "a-b", "a_b"])
TOOLS = st.text("abx_", min_size=1, max_size=6)


def test_a_name_stays_short_while_it_is_clear() -> None:
    """Only a tool that shares its name with another server's tool, or with a taken name, has a long name."""
    found = agent_names([("web", "search"), ("docs", "search"), ("web", "open"), ("web", "done")], taken={"done"})
    assert found == {
        ("web", "search"): "web__search",
        ("docs", "search"): "docs__search",
        ("web", "open"): "open",
        ("web", "done"): "web__done",
    }


@given(st.sets(st.tuples(SERVERS, TOOLS)), st.sets(TOOLS))
def test_names_are_never_ambiguous(tools: set[tuple[str, str]], taken: set[str]) -> None:
    """No two tools share a name or a tool's long name; a short name is never a taken one."""
    found = agent_names(sorted(tools), taken)
    assert len(set(found.values())) == len(tools)
    long = {qualified(*tool): tool for tool in tools}
    assert all(name not in taken or name == qualified(*tool) for tool, name in found.items())
    assert all(long.get(name, tool) == tool for tool, name in found.items())
