"""The digest by which a kept answer is found, and its stored form."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from env_server.models import ModelAnswer, ToolCall
from env_server.models.answer_cache import digest_of, read, written

ASK: dict[str, Any] = {
    "endpoint": "http://models.example/v1",
    "model": "m",
    "messages": [{"role": "system", "content": "Be Ada."}, {"role": "user", "content": "Hi."}],
    "parameters": {"seed": 7, "temperature": 0.0, "tools": [{"type": "function"}]},
    "scope": "user/0",
    "occurrence": 0,
}


def digest(**changed: Any) -> str:
    """The digest of `ASK` with these changes."""
    return digest_of(**(ASK | changed))


def parameters(**changed: Any) -> Mapping[str, Any]:
    """The parameters of `ASK` with these changes."""
    return {**ASK["parameters"], **changed}


def messages(**changed: Any) -> Sequence[Mapping[str, Any]]:
    """The messages of `ASK`, with the last one changed."""
    return [ASK["messages"][0], {**ASK["messages"][1], **changed}]


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": "http://models.example/v2"},
        {"model": "n"},
        {"messages": messages(content="Hi!")},
        {"messages": messages(role="assistant")},
        {"messages": list(reversed(ASK["messages"]))},
        {"messages": messages(tool_calls=[{"id": "c"}])},
        {"parameters": parameters(seed=8)},
        {"parameters": parameters(temperature=0.1)},
        {"parameters": parameters(tools=[])},
        {"parameters": parameters(tool_choice="none")},
        {"parameters": parameters(response_format={"type": "json_object"})},
        {"parameters": {"seed": 7}},
        {"scope": "user/1"},
        {"scope": "judge/0"},
        {"occurrence": 1},
    ],
)
def test_whatever_may_change_the_answer_changes_the_digest(changed: dict[str, Any]) -> None:
    """Endpoint, model, messages, parameters, scope and occurrence are part of the digest."""
    assert digest(**changed) != digest()


def test_what_cannot_change_the_answer_does_not() -> None:
    """The order of the parameters does not change the digest."""
    backwards = dict(reversed(ASK["parameters"].items()))
    assert digest(parameters=backwards) == digest()


@given(
    st.builds(
        ModelAnswer,
        st.text(),
        st.lists(st.builds(ToolCall, st.text(), st.text(), st.text()), max_size=3).map(tuple),
        st.integers(0, 10**6),
        st.integers(0, 10**6),
    )
)
def test_what_is_written_is_read(answer: ModelAnswer) -> None:
    """Words, calls and counts are read as they were written, with any characters."""
    assert read(written(answer)) == answer
