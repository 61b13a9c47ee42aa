"""The user's message as extracted from a model's output."""

import re
from contextlib import suppress
from itertools import product
from time import process_time

import pytest

from agent_env_schemas import USER_STOP as STOP
from env_server.rewards.judge import answers, transcript
from env_server.users.model import lines
from env_server.users.model.lines import LONGEST, Unusable, UserLine, is_labelled, labelled, read_line


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Hi, I need help.", "Hi, I need help."),
        ("  Hi.\n\nI need help. ", "Hi.\n\nI need help."),
        ("<think>They want\nmy zip.</think>It is 12345.", "It is 12345."),
        ("they want my zip</think>It is 12345.", "It is 12345."),
        ("It is 12345.<think>Should I say more", "It is 12345."),
        ("a</think>Hi <think>b</think>there.", "Hi there."),
        ("User: My zip is 12345.", "My zip is 12345."),
        ("**Customer:** My zip is 12345.", "My zip is 12345."),
        ("My zip is 12345.\nAgent: Thank you!\nUser: Bye.", "My zip is 12345."),
        ("My zip is 12345.\n\n**Customer Service Agent**: Thank you!", "My zip is 12345."),
        ("I told your agent: no refund, no deal.", "I told your agent: no refund, no deal."),
    ],
)
def test_words(written: str, said: str) -> None:
    """Thoughts, labels and the other side's lines are taken out; everything else stays."""
    assert read_line(written) == UserLine(said)


@pytest.mark.parametrize(
    "written",
    [STOP, f" {STOP}\n", f"**{STOP}**", f"{STOP}.", "###stop###", f"Thank you, bye!\n{STOP}", f"{STOP}\nBye."],
)
def test_a_bare_stop_line_ends(written: str) -> None:
    """The token alone on a line ends the conversation, with or without a farewell."""
    assert read_line(written) == UserLine(STOP, stop=True)


@pytest.mark.parametrize("token", ["###TRANSFER###", "###OUT-OF-SCOPE###"])
def test_other_tokens_of_the_benchmark_end_as_well(token: str) -> None:
    """Public tasks may name other tokens of the benchmark: these end the conversation too."""
    assert read_line(token) == UserLine(STOP, stop=True)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (f"If that is all, {STOP} is what I say.", "If that is all, is what I say."),
        (f"Thanks, bye! {STOP}", "Thanks, bye!"),
        (f"Yes, please go ahead.\n{STOP}", "Yes, please go ahead."),
        (f"Could you also check my bill?\n{STOP}", "Could you also check my bill?"),
        (f"Yes.\n{STOP}", "Yes."),
    ],
)
def test_a_stop_beside_words_that_matter_does_not_end(written: str, said: str) -> None:
    """A token in mid-sentence, or under a confirmation or question, is taken out and the words are delivered."""
    assert read_line(written) == UserLine(said)


def test_while_the_agent_waits_for_a_yes_any_words_are_an_answer() -> None:
    """If there are words beside a stop, the stop is dropped, because it would cut off the agent's next action."""
    assert read_line(f"Fine by me.\n{STOP}", confirming=True) == UserLine("Fine by me.")


@pytest.mark.parametrize(
    "written", ["", "  \n", "<think>What now?", "...", "Agent: How can I help?", "x" * (LONGEST + 1)]
)
def test_what_no_user_says(written: str) -> None:
    """Empty output, only thoughts, only the other side's words, and a flood of text are rejected."""
    with pytest.raises(Unusable):
        read_line(written)


@pytest.mark.parametrize(
    ("written", "thought", "said"),
    [
        ("Thought: greet.\nUser Response: Hi.", "Thought: greet.", "Hi."),
        ("**Thought:** greet.\n**User Response:** Hi.", "**Thought:** greet.", "Hi."),
        ("Thought: greet. User Response: Hi.", "Thought: greet.", "Hi."),
        ("Thought: a\nThought: b\nUser Response: Hi.", "Thought: a\nThought: b", "Hi."),
        ("Thought: a\nUser Response: Hi.\nThought: b\nUser Response: No!", "Thought: a", "Hi."),
        ("Thought: my User Response: none.\nUser Response: Hi.", "Thought: my User Response: none.", "Hi."),
        ("Reflection: too much.\nResponse: Hi.", "Reflection: too much.", "Hi."),
        ("Reflection: my response: bad. Response: Hi.", "Reflection: my response: bad.", "Hi."),
        (STOP, "", STOP),
    ],
)
def test_labelled_parts(written: str, thought: str, said: str) -> None:
    """Private and spoken parts are separated, however often the labels occur."""
    found = labelled(written)
    assert (found[0].strip(), read_line(found[1]).content) == (thought, said)


@pytest.mark.parametrize("written", ["Thought: I will not say my name.", "I should greet them.", ""])
def test_without_the_label_nothing_is_said(written: str) -> None:
    """Text without the label is no message: it might all be a thought."""
    with pytest.raises(Unusable):
        labelled(written)


def test_a_thought_that_nobody_asked_for_is_seen() -> None:
    """Some models write `Thought:` without being asked: it is found all the same."""
    assert is_labelled("**Thought**: hm")
    assert not is_labelled("I thought: hm")


PIECES = ("#", "_", "*", " ", "\n", "a", "## ", " _", "agent _", "customer ", "response_", "<think>", "</", "thought ")
BEGINNINGS = ("", "## ", "agent ", "response", "thought", "<think>")
FOUND = {
    f"{module.__name__}.{name}": value
    for module in (lines, answers, transcript)
    for name, value in vars(module).items()
    if isinstance(value, re.Pattern)
}


@pytest.mark.parametrize("pattern", FOUND.values(), ids=FOUND.keys())
def test_no_pattern_takes_long(pattern: re.Pattern[str]) -> None:
    """For any repeated text in a model's output, the time grows linearly with its length."""
    for begun, piece in product(BEGINNINGS, PIECES):
        text = begun + piece * (30_000 // len(piece))
        began = process_time()
        pattern.sub("", text)
        assert process_time() - began < 0.3, (begun, piece)


def test_a_flood_of_marks_is_refused_at_once() -> None:
    """The longest possible answer, with the beginning of a stop token everywhere, is refused at once."""
    began = process_time()
    for flood in ("#" * 100_000, "agent " + "_" * 99_000, f"{STOP}{'#' * 99_000}"):
        with pytest.raises(Unusable, match="far too long"):
            read_line(flood)
        with suppress(Unusable):
            labelled(flood)
    assert process_time() - began < 1
