import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_servers.kit.redact import Redactor

KEY = "a+b/c=d e"


@pytest.mark.parametrize("form", [KEY, "a%2Bb%2Fc%3Dd%20e", "a%2Bb%2Fc%3Dd+e"])
def test_every_form_of_a_key_is_masked(form: str) -> None:
    """A key is masked as it is and as it looks in a URL."""
    assert Redactor([KEY]).text(f"at {form}!") == "at [secret]!"


def test_short_secrets_mask_nothing() -> None:
    """A secret of a few letters would mask ordinary words."""
    assert Redactor(["abc", ""]).text("abc") == "abc"


@pytest.mark.parametrize("name", ["apiKey", "apikey", "api_key", "access_token", "token"])
def test_a_line_masks_keys_of_urls(name: str) -> None:
    """In errors and logs the values of parameters that are keys are masked, known or not."""
    assert Redactor([]).line(f"GET https://x/y?a=1&{name}=unknown&b=2") == f"GET https://x/y?a=1&{name}=[secret]&b=2"
    assert Redactor([]).text(f"?{name}=unknown") == f"?{name}=unknown"


@settings(max_examples=25)
@given(
    st.recursive(
        st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8
    )
)
def test_json_holds_no_key_afterwards(value: object) -> None:
    """A key is masked wherever it stands in JSON, and it is found in the text of the JSON."""
    redact = Redactor(["s3cret-key"])
    planted = {"a": value, "x s3cret-key": ["s3cret-keys3cret-key", value]}
    assert redact.holds(json.dumps(planted).encode())
    assert "s3cret-key" not in json.dumps(redact.value(planted))
    assert redact.value({"a": value})["a"] == value


def test_escapes_may_hold_a_key() -> None:
    """JSON with escapes is looked through."""
    assert Redactor(["s3cret"]).holds(rb'{"a": "\u00733cret"}')
    assert not Redactor(["s3cret"]).holds(b'{"a": "b"}')
    assert not Redactor([]).holds(rb"\u0073")
