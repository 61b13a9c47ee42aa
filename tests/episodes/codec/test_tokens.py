"""Agent tokens."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from env_server.app import open_episodes
from env_server.episodes.codec.tokens import Tokens
from env_server.settings import Settings

TOKENS = Tokens("secret", 100)


def test_a_token_names_its_episode_until_it_expires() -> None:
    """A token is valid for exactly its lifetime."""
    token = TOKENS.make("ep_abc", now=1000)
    assert TOKENS.episode_of(token, now=1100) == "ep_abc"
    assert TOKENS.episode_of(token, now=1101) is None


@given(st.floats(0, 1e10), st.floats(0, 1e4))
def test_a_token_made_again_is_the_same_until_half_of_its_life_is_over(since: float, after: float) -> None:
    """A retry gets the first token until half of its lifetime has passed, and then a new one."""
    first, again = TOKENS.make("ep_abc", since), TOKENS.make_again("ep_abc", since, since + after)
    assert (again == first) or after >= 49
    assert (again != first) or after < 51
    assert TOKENS.episode_of(again, since + after + 49) == "ep_abc"


@given(st.floats(0, 1e10), st.floats(0, 1e4))
def test_a_clock_that_is_behind_makes_the_first_token_again(since: float, behind: float) -> None:
    """A process whose clock is behind that of the issuing process answers a retry with the same token."""
    assert TOKENS.make_again("ep_abc", since, since - behind) == TOKENS.make("ep_abc", since)


async def test_the_operator_says_how_long_that_is(tmp_path: Path) -> None:
    """The operator's setting is the lifetime of the issued tokens."""
    url = f"sqlite:///{tmp_path}/episodes.db"
    settings = Settings(_env_file=None, database_url=url, domains="retail", token_lifetime_s=7)
    async with open_episodes(settings) as episodes:
        token = episodes.tokens.make("ep_abc", now=1000)
        assert [episodes.tokens.episode_of(token, now) for now in (1007, 1008)] == ["ep_abc", None]


def test_another_secret_does_not_do() -> None:
    """A token made with another secret is refused."""
    assert TOKENS.episode_of(Tokens("other", 100).make("ep_abc", now=1000), now=1000) is None


@given(st.integers(0, 60), st.characters(codec="ascii"))
def test_tampering_is_noticed(position: int, character: str) -> None:
    """A token with any one character replaced is refused."""
    token = TOKENS.make("ep_abc", now=1000)
    position = 4 + position % (len(token) - 4)
    if token[position] != character:
        assert TOKENS.episode_of(token[:position] + character + token[position + 1 :], now=1000) is None


@given(st.text())
def test_any_text_is_just_no_token(text: str) -> None:
    """No text makes the check raise an error."""
    assert TOKENS.episode_of("agt_" + text, now=0) is None
