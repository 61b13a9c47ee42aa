"""Agent tokens."""

from hypothesis import given
from hypothesis import strategies as st

from env_server.episodes.tokens import Tokens

TOKENS = Tokens("secret", 100)


def test_a_token_names_its_episode_until_it_expires() -> None:
    """It is good for its lifetime and not a second longer."""
    token = TOKENS.make("ep_abc", now=1000)
    assert TOKENS.episode_of(token, now=1100) == "ep_abc"
    assert TOKENS.episode_of(token, now=1101) is None


def test_another_secret_does_not_do() -> None:
    """A token of another server is refused."""
    assert TOKENS.episode_of(Tokens("other", 100).make("ep_abc", now=1000), now=1000) is None


@given(st.integers(0, 60), st.characters(codec="ascii"))
def test_tampering_is_noticed(position: int, character: str) -> None:
    """A token with any character replaced is refused."""
    token = TOKENS.make("ep_abc", now=1000)
    position = 4 + position % (len(token) - 4)
    if token[position] != character:
        assert TOKENS.episode_of(token[:position] + character + token[position + 1 :], now=1000) is None


@given(st.text())
def test_any_text_is_just_no_token(text: str) -> None:
    """Nothing that a caller sends makes the check fail."""
    assert TOKENS.episode_of("agt_" + text, now=0) is None
