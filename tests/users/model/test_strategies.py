"""The four strategies against models that behave and models that misbehave."""

import pytest

from agent_env_schemas import USER_STOP as STOP
from env_server.models import ModelUnavailable
from tests.standin.protocol import Asked, Call, Reply
from tests.standin.server import StandIn
from tests.users.model.talks import Begin, roles

ALL = pytest.mark.parametrize("strategy", ["llm", "react", "verify", "reflection"])


def wrapped(words: str, asked: Asked) -> str:
    """Return `words` in the form that the question requires."""
    if asked.judging:
        return "true"
    return f"Thought: private.\nUser Response: {words}" if "User Response:" in str(asked.messages[0]) else words


@ALL
async def test_a_conversation(strategy: str, standin: StandIn, begin: Begin) -> None:
    """The user opens, answers and stops; the model hears the agent as the other side and the task as its own secret."""
    talk = begin(strategy)
    assert standin.journal == [], "nothing is asked before the conversation begins"
    standin.program = lambda asked: wrapped("Hi, I need help.", asked)
    assert (await talk.first()).content == "Hi, I need help."
    standin.program = lambda asked: wrapped("I do not have it.", asked)
    assert (await talk.agent("What is your order number?")).content == "I do not have it."
    asked = [a for a in standin.journal if not a.judging][-1]
    assert roles(asked.messages) == ["system", "user", "assistant", "user"]
    for part in ("You are impatient.", "You are Ada Haas.", "Your order number."):
        assert part in asked.messages[0]["content"]
    assert asked.last == "What is your order number?"
    standin.program = lambda asked: wrapped(STOP, asked)
    said = await talk.agent("Then I cannot help. Goodbye.")
    assert (said.content, said.stop) == (STOP, True)


@ALL
async def test_what_is_asked(strategy: str, standin: StandIn, begin: Begin) -> None:
    """Model, seed and temperature are parameters of each question; the key is sent to the server's own endpoint."""
    standin.program = lambda asked: wrapped("Hi.", asked)
    await begin(strategy, temperature=0.5, model="other").first(seed=11)
    for asked in standin.journal:
        assert (asked.body["model"], asked.body["seed"], asked.body["temperature"]) == ("other", 11, 0.5)
        assert asked.headers["authorization"] == "Bearer the-key"
        assert "tools" not in asked.body


@ALL
async def test_thoughts_never_reach_the_agent(strategy: str, standin: StandIn, begin: Begin) -> None:
    """Thoughts are kept back in any form: labelled, twice, in marks, or after the answer."""
    for written in (
        "Thought: SECRET\nUser Response: Hi.",
        "Thought: SECRET\nThought: SECRET\nUser Response: Hi.",
        "<think>SECRET</think>Thought: SECRET\nUser Response: Hi.",
        "Thought: SECRET\nUser Response: Hi.\nThought: SECRET",
        "Thought: SECRET User Response: Hi.",
    ):
        standin.program = lambda asked, written=written: "true" if asked.judging else written  # type: ignore[misc]
        assert (await begin(strategy).first()).content == "Hi."


async def test_a_thought_alone_is_asked_for_again(standin: StandIn, begin: Begin) -> None:
    """Unlabelled text might be a thought. The model gets a description of the error and is asked again."""
    standin.then("I should not tell them.", "Thought: SECRET", "Thought: ok\nUser Response: Hi.")
    talk = begin("react")
    assert (await talk.first()).content == "Hi."
    assert talk.usage["unusable"] == 2
    assert "label" in standin.journal[1].last
    assert "SECRET" not in str(talk.last.notes), "an answer that was not used is not remembered"


async def test_a_thought_is_remembered_privately(standin: StandIn, begin: Begin) -> None:
    """The model sees its own thoughts again; the agent never does."""
    standin.then("Thought: be brief.\nUser Response: Hi.", "Thought: b\nUser Response: Bye.")
    talk = begin("react")
    await talk.first()
    await talk.agent("Hello?")
    assert "be brief" in standin.journal[1].messages[2]["content"]


@ALL
@pytest.mark.parametrize("written", ["", "   ", "<think>hm</think>", "Agent: How may I help you?", "..."])
async def test_answers_that_are_none(strategy: str, written: str, standin: StandIn, begin: Begin) -> None:
    """Empty answers and answers that speak for the agent are requested again. If no other answer
    comes, the turn fails.
    """
    standin.then(written)
    standin.program = lambda asked: wrapped("Hi.", asked)
    talk = begin(strategy)
    assert (await talk.first()).content == "Hi."
    assert talk.usage["unusable"] == 1
    standin.program = lambda _asked: written
    with pytest.raises(ModelUnavailable, match="cannot be used"):
        await talk.agent("Hello?")


@ALL
async def test_the_user_does_not_stop_before_it_has_begun(strategy: str, standin: StandIn, begin: Begin) -> None:
    """A first message that ends the conversation is no message, and is asked for again."""
    standin.then(f"Thought: x\nUser Response: {STOP}")
    standin.program = lambda asked: wrapped("Hi.", asked)
    said = await begin(strategy).first()
    assert (said.content, said.stop) == ("Hi.", False)


@ALL
async def test_a_stop_in_a_sentence_does_not_end(strategy: str, standin: StandIn, begin: Begin) -> None:
    """A stop within a sentence is taken out, and so is a stop under words that confirm."""
    talk = begin(strategy)
    standin.program = lambda asked: wrapped("Hi.", asked)
    await talk.first()
    standin.program = lambda asked: wrapped(f"I say {STOP} when done.", asked)
    said = await talk.agent("Anything else?")
    assert (said.content, said.stop) == ("I say when done.", False)
    standin.program = lambda asked: wrapped(f"Yes, please go ahead.\n{STOP}", asked)
    said = await talk.agent("I will cancel it. Shall I go ahead?")
    assert (said.content, said.stop) == ("Yes, please go ahead.", False)


async def test_the_user_does_not_stop_instead_of_confirming(standin: StandIn, begin: Begin) -> None:
    """A bare stop in place of a yes or no is questioned once. A repeated stop ends the conversation."""
    talk = begin()
    await talk.first()
    standin.then(STOP, "Yes, please.")
    said = await talk.agent("I will cancel the order. Do you confirm (yes/no)?")
    assert (said.content, said.stop) == ("Yes, please.", False)
    assert "confirm" in standin.journal[-1].last
    standin.then(STOP, STOP)
    assert (await talk.agent("I will cancel another one. Do you confirm (yes/no)?")).stop


async def test_the_judge_knows_who_said_what(standin: StandIn, begin: Begin) -> None:
    """In its transcript the user is the customer and the agent the agent; it also reads the task."""
    standin.program = lambda asked: "true" if asked.judging else "My name is Ada."
    talk = begin("verify")
    await talk.first()
    await talk.agent("Who are you?")
    question = standin.journal[-1].last
    assert "Customer: My name is Ada.\nAgent: Who are you?" in question
    assert "Agent: My name" not in question
    assert "You are Ada Haas." in question


@pytest.mark.parametrize(("strategy", "drafts"), [("verify", 3), ("reflection", 2)])
async def test_a_judge_that_rejects_everything(strategy: str, drafts: int, standin: StandIn, begin: Begin) -> None:
    """After the maximum number of drafts the last one is sent, and the record says so."""
    made = iter(["one", "Reflection: SECRET\nResponse: two", "three"])
    standin.program = lambda asked: "false" if asked.judging else next(made).replace("three", "three words")
    talk = begin(strategy)
    if strategy == "verify":
        made = iter(["one", "two", "three"])
    said = await talk.first()
    assert said.content == ("three words" if strategy == "verify" else "two")
    assert (talk.usage["rejected"], talk.usage["fallback"]) == (drafts, "rejected")
    assert talk.usage["calls"] == 2 * drafts
    assert said.notes["total"]["fallbacks"] == 1
    assert [m["content"] for m in said.notes["chat"][1:]] == [said.content], "rejected drafts are not remembered"


async def test_the_fallback_does_not_end_the_conversation_if_it_can_help_it(standin: StandIn, begin: Begin) -> None:
    """A rejected draft that stops the conversation is sent only if there is no other draft."""
    talk = begin("verify")
    standin.program = lambda asked: "true" if asked.judging else "Hi."
    await talk.first()
    made = iter(["Not yet.", STOP, STOP])
    standin.program = lambda asked: "false" if asked.judging else next(made)
    assert (await talk.agent("Bye.")).content == "Not yet."
    standin.program = lambda asked: "false" if asked.judging else STOP
    assert (await talk.agent("Bye.")).stop


async def test_drafts_of_one_question_differ_in_their_seed(standin: StandIn, begin: Begin) -> None:
    """The seed changes with each draft, since the same seed might give the same answer for ever."""
    standin.program = lambda asked: "false" if asked.judging else "Hi."
    await begin("verify").first(seed=5)
    assert [a.body["seed"] for a in standin.journal if not a.judging] == [5, 6, 7]


@pytest.mark.parametrize("verdict", ["maybe", "", "true or false", "{}", "It is untrue"])
async def test_a_judge_that_answers_nonsense(verdict: str, standin: StandIn, begin: Begin) -> None:
    """The judge is asked twice. Then the draft goes out without a verdict, and the record says so."""
    standin.program = lambda asked: verdict if asked.judging else "Hi."
    talk = begin("verify")
    assert (await talk.first()).content == "Hi."
    assert talk.usage["fallback"] == "no_verdict"
    assert len([a for a in standin.journal if a.judging]) == 2


@pytest.mark.parametrize(
    "verdict", ["true", "True.", "**true**", "<think>false?</think>true", '"true"', "Verdict: true"]
)
async def test_verdicts_are_read_as_models_write_them(verdict: str, standin: StandIn, begin: Begin) -> None:
    """A verdict is read with marks, thoughts and capitals."""
    standin.program = lambda asked: verdict if asked.judging else "Hi."
    talk = begin("verify")
    await talk.first()
    assert (talk.usage["fallback"], talk.usage["rejected"], talk.usage["calls"]) == (None, 0, 2)


async def test_a_reflection_leads_to_a_better_message(standin: StandIn, begin: Begin) -> None:
    """The model sees its rejected draft and reflects in private. Its next message is judged too."""
    standin.then("My order is 17.", "false", "Reflection: SECRET, I do not know it.\nResponse: I lost it.", "true")
    talk = begin("reflection")
    said = await talk.first()
    assert said.content == "I lost it."
    shown = standin.journal[2].messages
    assert [m["content"] for m in shown if m["role"] == "assistant"] == ["My order is 17."]
    assert "SECRET" not in str(said)
    assert talk.usage["rejected"] == 1
    assert talk.usage["fallback"] is None


async def test_a_reflection_without_its_label_is_asked_for_again(standin: StandIn, begin: Begin) -> None:
    """A reflection without its label is asked for again, and does not reach the agent."""
    standin.then("one", "false", "Reflection: SECRET", "Reflection: SECRET\nResponse: two", "true")
    assert (await begin("reflection").first()).content == "two"


@ALL
async def test_own_tools(strategy: str, standin: StandIn, begin: Begin) -> None:
    """The user calls a tool of the phone, sees the result, and tells it; later turns remember it."""
    standin.program = lambda asked: wrapped("It says airplane mode.", asked)
    talk = begin(strategy)
    talk.tools = True
    await talk.first()
    standin.then(Reply(calls=(Call("check_status_bar"),)))
    assert (await talk.agent("Look at your status bar.")).content == "It says airplane mode."
    assert talk.phone.used == [("check_status_bar", {})]
    asked = [a for a in standin.journal if not a.judging][-1]
    assert roles(asked.messages)[-3:] == ["user", "assistant", "tool"]
    assert asked.last == "Airplane mode is on."
    await talk.agent("And now?")
    assert "tool" in roles([a for a in standin.journal if not a.judging][-1].messages)


@ALL
async def test_calls_that_cannot_be_made(strategy: str, standin: StandIn, begin: Begin) -> None:
    """An unknown tool and broken arguments become results that the model reads. Nothing fails."""
    standin.program = lambda asked: wrapped("I cannot.", asked)
    talk = begin(strategy)
    talk.tools = True
    await talk.first()
    bad = (Call("fly", {"to": "Rome"}), Call("check_status_bar", "{broken"), Call("check_status_bar", "[1]"))
    standin.then(Reply(calls=bad))
    assert (await talk.agent("Fly.")).content == "I cannot."
    asked = next(a for a in reversed(standin.journal) if not a.judging)
    assert [m["content"] for m in asked.messages[-3:]] == [
        "Error: unknown tool 'fly'",
        "Error: the arguments are not a JSON object.",
        "Error: the arguments are not a JSON object.",
    ]


@pytest.mark.parametrize(
    "arguments",
    [
        "[" * 50_000,
        '{"a":' * 5_000 + "1" + "}" * 5_000,
        '{"a":' * 250 + "1" + "}" * 250,
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": "\\ud800"}',
        '{"\\ud800": 1}',
    ],
    ids=["lists", "objects", "almost", "nan", "infinite", "half", "half-name"],
)
async def test_arguments_that_nothing_can_store(arguments: str, standin: StandIn, begin: Begin) -> None:
    """Arguments that are too deep, not finite, or have half surrogate pairs become results that the model reads."""
    talk = begin()
    talk.tools = True
    await talk.first()
    standin.then(Reply(calls=(Call("check_status_bar", arguments),)), "It is fine.")
    assert (await talk.agent("What do you see?")).content == "It is fine."
    assert talk.phone.used == []
    assert standin.journal[-1].last == "Error: the arguments are not a JSON object."


async def test_calls_without_tools_are_no_answer(standin: StandIn, begin: Begin) -> None:
    """A model that calls a tool it was not offered is asked for words."""
    standin.then(Reply(calls=(Call("fly"),)), "Hi.")
    talk = begin()
    assert (await talk.first()).content == "Hi."
    assert (talk.usage["unusable"], talk.phone.used) == (1, [])


async def test_calls_are_bounded_in_a_turn(standin: StandIn, begin: Begin) -> None:
    """The number of calls in a turn is limited: the user must then speak. Every call gets a response."""
    talk = begin()
    talk.tools = True
    await talk.first()
    endless = Reply(calls=(Call("check_status_bar"),) * 5)
    standin.program = lambda asked: "Enough." if asked.body.get("tool_choice") == "none" else endless
    assert (await talk.agent("Look.")).content == "Enough."
    assert len(talk.phone.used) == 12
    asked = standin.journal[-1].messages
    called = [c["id"] for m in asked for c in m.get("tool_calls", ())]
    assert called == [m["tool_call_id"] for m in asked if m["role"] == "tool"]


async def test_usage_adds_up(standin: StandIn, begin: Begin) -> None:
    """Each message reports its usage, and the notes hold the total."""
    talk = begin()
    await talk.first()
    standin.then("", "Hi.")
    await talk.agent("Hello?")
    assert (talk.usage["calls"], talk.usage["prompt_tokens"], talk.usage["completion_tokens"]) == (2, 200, 20)
    assert talk.usage["seconds"] > 0
    total = talk.last.notes["total"]
    assert (total["calls"], total["prompt_tokens"], total["unusable"], total["fallbacks"]) == (3, 300, 1, 0)


async def test_an_endpoint_that_does_not_count_tokens(standin: StandIn, begin: Begin) -> None:
    """If the endpoint does not count tokens, they are estimated, so that a cap still holds."""
    standin.then(Reply("Hi.", tokens=None))
    talk = begin()
    await talk.first()
    assert talk.usage["prompt_tokens"] > 100
    assert talk.usage["completion_tokens"] == 1


async def test_halves_of_characters_are_mended(standin: StandIn, begin: Begin) -> None:
    """Lone surrogates, which no database accepts as text, are replaced."""
    standin.then(Reply(body=Reply("Hi X.").payload("m", 1).replace(b"X", b"\\ud800")))
    assert (await begin().first()).content == "Hi ?."


async def test_a_flood_from_the_agent_is_cut(standin: StandIn, begin: Begin) -> None:
    """An agent's message is cut at a maximum length, because every later turn stores it."""
    talk = begin()
    await talk.first()
    await talk.agent("x" * 50_000)
    assert "34000 characters left out" in standin.journal[-1].last
    assert len(standin.journal[-1].last) < 17_000


async def test_too_many_calls_in_one_answer_are_cut(standin: StandIn, begin: Begin) -> None:
    """Of a thousand calls in one answer only a few are made."""
    talk = begin()
    talk.tools = True
    await talk.first()
    standin.then(Reply(calls=(Call("check_status_bar"),) * 1000))
    await talk.agent("Look.")
    assert len(standin.journal[-1].messages) < 50
