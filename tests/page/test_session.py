"""Sessions: signed, expiring, and bound to a key."""

from env_server.page.session import LIFETIME_S, Sessions

NOW = 1_000_000.0
KEYS = {"alice": "a", "bob.b": "b"}


def test_a_cookie_holds_until_it_expires() -> None:
    """A cookie gives its session back until it expires, and only with the same secret."""
    sessions = Sessions("secret", KEYS)
    session = sessions.sign_in("b", NOW)
    assert session is not None
    assert session.name == "bob.b"
    cookie = sessions.cookie(session)
    assert sessions.read(cookie, NOW + LIFETIME_S) == session
    assert sessions.read(cookie, NOW + LIFETIME_S + 1) is None
    assert Sessions("other", KEYS).read(cookie, NOW) is None


def test_a_changed_cookie_is_none() -> None:
    """A cookie with any one character changed is invalid."""
    sessions = Sessions("secret", KEYS)
    session = sessions.sign_in("a", NOW)
    assert session is not None
    cookie = sessions.cookie(session)
    for i, letter in enumerate(cookie):
        other = "A" if letter != "A" else "B"
        assert sessions.read(cookie[:i] + other + cookie[i + 1 :], NOW) is None
    for bad in ("", ".", "...", "é.1.2.3", cookie + "x"):
        assert sessions.read(bad, NOW) is None


def test_a_session_ends_with_its_key() -> None:
    """Withdrawing or replacing a key ends the sessions that it began."""
    session = Sessions("secret", KEYS).sign_in("a", NOW)
    assert session is not None
    cookie = Sessions("secret", KEYS).cookie(session)
    assert Sessions("secret", {"alice": "new"}).read(cookie, NOW) is None
    assert Sessions("secret", {"bob": "b"}).read(cookie, NOW) is None
    assert Sessions("secret", {}).read(cookie, NOW) is None


def test_a_visitor_is_somebody_only_without_keys() -> None:
    """The cookie of a server without keys does not sign in where keys are set, also later."""
    open_server = Sessions("secret", {})
    visitor = open_server.visit(NOW)
    assert open_server.caller(visitor) == "anonymous"
    later = Sessions("secret", KEYS).read(open_server.cookie(visitor), NOW)
    assert later is None or Sessions("secret", KEYS).caller(later) is None


def test_a_form_token_belongs_to_one_session() -> None:
    """The form token of one session does not fit another's."""
    sessions = Sessions("secret", {})
    one, other = sessions.visit(NOW), sessions.visit(NOW)
    assert sessions.is_form_token(one, sessions.form_token(one))
    assert not sessions.is_form_token(other, sessions.form_token(one))
    assert not sessions.is_form_token(one, "é")
