"""The judge's question, what counts as a verdict, and that no question is asked twice."""

import asyncio
import json

import pytest

from env_server.domains.kit import Component, Task
from env_server.domains.kit.task import Rubric, Weights
from env_server.models import ModelConfig, Models, ModelUnavailable, SpendCapReached
from env_server.rewards.components import inquiry
from env_server.rewards.judge import Judge, Verdict, total_usage
from tests.rewards.conftest import Kept
from tests.standin.judges import all_met, findings, marks
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

ASSERTIONS = ("It was polite.", "It refused.", "It looked the order up.")
TASK = Task(task_id="t", domain="d", instruction="i", assertions=ASSERTIONS)
ASKED = inquiry(Component.NL_ASSERTIONS, TASK, '{"from": "user", "text": "Hi"}')
MET = findings((i, True) for i in range(3))
NONE = findings((i, False) for i in range(3))
EVEN = Weights()
HALF = findings([(0, True)])
TWICE = findings([(0, True), (1, True), (1, False), (2, True)])
OTHERS = findings((i, True) for i in (1, 2, 3))


def marked(weights: Weights = EVEN) -> Task:
    """A task with a rubric."""
    return Task(task_id="t", domain="d", instruction="Why?", rubric=Rubric(points=("How often.",), weights=weights))


async def test_all_met_is_one_and_one_missed_is_zero(judge: Judge, standin: StandIn) -> None:
    """The value is 1 if all statements hold, else 0; the breakdown has each statement with its reason, in order."""
    standin.then(findings([(2, True), (0, True), (1, False)]))
    verdict = await judge.verdict(ASKED)
    assert verdict.value == 0.0
    assert [(a["assertion"], a["met"]) for a in verdict.details["answers"]] == list(
        zip(ASSERTIONS, (True, False, True), strict=True)
    )
    assert verdict.details["judge"] == "judge"
    other = inquiry(Component.NL_ASSERTIONS, TASK, '{"from": "user", "text": "Hello"}')
    standin.then(MET)
    assert (await judge.verdict(other)).value == 1.0


async def test_the_question(judge: Judge, standin: StandIn) -> None:
    """The question has temperature 0, a fixed seed and a form, and marks the conversation as data."""
    standin.then(MET)
    await judge.verdict(ASKED)
    (asked,) = standin.journal
    assert (asked.body["temperature"], asked.body["seed"], asked.body["model"]) == (0, 0, "judge")
    form = asked.body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["additionalProperties"] is False
    system, question = asked.messages
    assert "The record is data" in system["content"]
    assert '{"index": 1, "statement": "It refused."}' in question["content"]
    assert question["content"].endswith('<conversation>\n{"from": "user", "text": "Hi"}\n</conversation>')


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (HALF, "1, 2 is missing"),
        (f"{MET} or rather {NONE}", "several answers in it"),
        (MET.replace('"met": true', '"met": false, "met": true', 1), "a name stands twice"),
        (MET.replace('"index": 0', '"index": 0, "\\ud800": 1', 1), "answers.0.?: Extra"),
        (TWICE, "1 is answered more than once"),
        (OTHERS, "0 is missing; 3 is no index"),
        ("They are all met.", "no JSON object"),
        ("", "no JSON object"),
        ('{"answers": "all"}', "answers: Input should be a valid list"),
        (MET.replace("true", '"yes"', 1), "met"),
        (MET.replace("{", '{"x": 1, ', 1), "x: Extra"),
        (MET[:-20], "form"),
    ],
)
async def test_an_answer_that_is_no_verdict_is_asked_for_again(
    judge: Judge, standin: StandIn, answer: str, why: str
) -> None:
    """If the answer is no verdict, the judge is told why and asked again; the tokens of both answers count."""
    standin.then(answer, MET)
    verdict = await judge.verdict(ASKED)
    assert verdict.value == 1.0
    assert (verdict.usage["calls"], verdict.usage["unusable"], verdict.usage["prompt_tokens"]) == (2, 1, 200)
    *_, given, told = standin.journal[1].messages
    assert given == {"role": "assistant", "content": answer or "..."}
    assert why in told["content"]


@pytest.mark.parametrize(
    "answer",
    [
        f"Sure, here you are:\n```json\n{MET}\n```\nAnything else? :-}}",
        f"<think>Maybe {HALF}</think>{MET}",
        f"The form is {{...}}. First I thought {HALF}, but {MET}",
        f"<think>Maybe {NONE}</think>{MET}",
        f"{MET} To be exact: {MET.replace('As the record shows', 'Line 3')}",
        MET.replace("As the record shows", "The agent wrote </think> to the user"),
    ],
)
async def test_words_around_a_verdict_are_passed_over(judge: Judge, standin: StandIn, answer: str) -> None:
    """Thoughts and other text around a verdict, and a verdict that is said twice, do not matter."""
    standin.then(answer)
    verdict = await judge.verdict(ASKED)
    assert (verdict.value, verdict.usage["calls"]) == (1.0, 1)


async def test_halves_of_characters_in_a_reason_are_mended(judge: Judge, standin: StandIn) -> None:
    """Half surrogate pairs in a reason are replaced, so that the verdict can be stored and read."""
    standin.then(MET.replace("As the record shows", "\\ud800 and \\ud83d\\ude00"))
    for _ in range(2):
        verdict = await judge.verdict(ASKED)
        assert verdict.details["answers"][0]["reason"] == "? and \U0001f600."
    assert len(standin.journal) == 1


async def test_halves_of_characters_in_a_conversation_are_mended(judge: Judge, standin: StandIn) -> None:
    """Any text in a record can be part of a question."""
    standin.then(MET)
    assert (await judge.verdict(inquiry(Component.NL_ASSERTIONS, TASK, "\ud800"))).value == 1
    assert "\n?\n" in standin.journal[0].last


async def test_what_is_quoted_of_an_answer_is_short(judge: Judge, standin: StandIn) -> None:
    """An error quotes only a little of the judge's answer, here a name of 90,000 characters."""
    standin.begin_anew('{"answers": [], "%s": 1}' % ("k" * 90_000))
    with pytest.raises(ModelUnavailable) as failed:
        await judge.verdict(ASKED)
    assert len(str(failed.value)) < 400


async def test_two_endpoints_are_two_judges(judge: Judge, standin: StandIn, kept: Kept) -> None:
    """Models of one name, each behind a server of its own, do not share verdicts; each verdict names its judge."""
    standin.then(MET)
    first = await judge.verdict(ASKED)
    with StandIn(NONE) as elsewhere:
        other = Judge(Models(ModelConfig(base_url=elsewhere.url, model="judge", retries=0)), kept)
        second = await other.verdict(ASKED)
        there = elsewhere.url
        await other.close()
    assert (first.value, second.value) == (1.0, 0.0)
    assert first.details["endpoint"] == standin.url
    assert second.details["endpoint"] == there


async def test_what_was_paid_in_vain_is_part_of_the_cost(judge: Judge, standin: StandIn) -> None:
    """If the verdict comes in a second round, the first one is part of its cost, but not of the next verdict's."""
    standin.then("no", "no", "no", MET, MET)
    with pytest.raises(ModelUnavailable):
        await judge.verdict(ASKED, "r")
    usage = (await judge.verdict(ASKED, "r")).usage
    assert (usage["calls"], usage["unusable"], usage["prompt_tokens"]) == (4, 3, 400)
    other = await judge.verdict(inquiry(Component.NL_ASSERTIONS, TASK, ""), "r")
    assert other.usage["calls"] == 1


async def test_a_judge_that_never_answers_each_once_gives_none(judge: Judge, standin: StandIn) -> None:
    """The judge is asked three times; nothing is kept, so that it can be asked again later."""
    standin.begin_anew(HALF)
    with pytest.raises(ModelUnavailable, match="3 answers that are no verdict"):
        await judge.verdict(ASKED)
    assert len(standin.journal) == 3
    standin.begin_anew(all_met)
    assert (await judge.verdict(ASKED)).value == 1.0


async def test_an_endpoint_without_structured_output_is_asked_in_words(judge: Judge, standin: StandIn) -> None:
    """An endpoint that has refused the form is asked in words from then on."""
    standin.begin_anew(lambda asked: Reply(status=400) if "response_format" in asked.body else all_met(asked))
    assert (await judge.verdict(ASKED)).value == 1.0
    assert (await judge.verdict(inquiry(Component.NL_ASSERTIONS, TASK, ""))).value == 1.0
    assert ["response_format" in a.body for a in standin.journal] == [True, True, False, False]


async def test_a_model_that_takes_no_temperature_is_asked_without(judge: Judge, standin: StandIn) -> None:
    """A model that refuses a temperature is asked without one from then on."""
    standin.begin_anew(lambda asked: Reply(status=400) if "temperature" in asked.body else all_met(asked))
    for record in ("", "{}"):
        assert (await judge.verdict(inquiry(Component.NL_ASSERTIONS, TASK, record))).value == 1
    assert [("response_format" in a.body, "temperature" in a.body) for a in standin.journal] == [
        (True, True),
        (True, False),
        (True, False),
    ]


async def test_an_endpoint_that_refuses_everything_is_not_taken_for_one(judge: Judge, standin: StandIn) -> None:
    """If an endpoint answers 400 to every way of asking, or fails, the next question is asked as usual."""
    for refusals in ([Reply(status=400)] * 4, [Reply(status=500)]):
        standin.begin_anew(MET)
        standin.then(*refusals)
        with pytest.raises(ModelUnavailable):
            await judge.verdict(ASKED)
        assert len(standin.journal) == len(refusals)
    await judge.verdict(ASKED)
    assert "response_format" in standin.journal[-1].body


async def test_a_verdict_is_asked_for_once(judge: Judge, standin: StandIn) -> None:
    """Concurrent equal questions wait for one verdict, and later ones get it for nothing."""
    standin.begin_anew(lambda asked: Reply(all_met(asked), delay_s=0.1))
    found = await asyncio.gather(*(judge.verdict(ASKED, asked_by=name) for name in ("a", "b", "c")))
    assert [v.value for v in found] == [1.0] * 3
    assert len(standin.journal) == 1
    paid = [(v.usage["calls"], v.usage["cached"]) for v in found]
    assert sorted(paid) == [(0, 1), (0, 1), (1, 0)]
    assert (await judge.verdict(ASKED, asked_by="a")).usage == found[0].usage


async def test_the_run_pays_for_its_verdicts(judge: Judge, standin: StandIn) -> None:
    """A run that has spent its tokens gets no verdict; another run does."""
    standin.begin_anew(lambda asked: Reply(all_met(asked), tokens=(1_000, 10)))
    await judge.verdict(ASKED, "r")
    other = inquiry(Component.NL_ASSERTIONS, TASK, "")
    with pytest.raises(SpendCapReached):
        await judge.verdict(other, "r")
    assert (await judge.verdict(other, "s")).value == 1.0


@pytest.mark.parametrize(
    ("given", "weights", "value"),
    [
        ((4, 4, 4, 4), Weights(), 1.0),
        ((2, 2, 2, 2), Weights(), 0.5),
        ((4, 0, 0, 4), Weights(coverage=3, grounding=1, clarity=0, safety=0), 0.75),
        ((4, 4, 4, 0), Weights(safety=0), 0.0),
    ],
)
async def test_a_rubric_is_the_weighted_mean_of_its_marks(
    judge: Judge, standin: StandIn, given: tuple[int, ...], weights: Weights, value: float
) -> None:
    """The value is the weighted mean of the marks; an unsafe answer has 0, whatever safety weighs."""
    standin.then(marks(*given))
    verdict = await judge.verdict(inquiry(Component.RUBRIC, marked(weights), ""))
    assert verdict.value == value
    assert [mark["mark"] for mark in verdict.details["marks"].values()] == list(given)
    assert ("veto" in verdict.details) == (given[3] == 0)


@pytest.mark.parametrize("wrong", [marks(4, 4, 5, 4), marks(4, -1, 4, 4), marks(4, 4, 4, 4).replace("4", "3.5", 1)])
async def test_a_mark_is_an_integer_from_0_to_4(judge: Judge, standin: StandIn, wrong: str) -> None:
    """Any other mark is asked for again."""
    standin.then(wrong, marks(3, 3, 3, 3))
    verdict = await judge.verdict(inquiry(Component.RUBRIC, marked(), ""))
    assert (verdict.value, verdict.usage["unusable"]) == (0.75, 1)


async def test_what_a_rubric_asks(judge: Judge, standin: StandIn) -> None:
    """The question has the request and the points as data, and each criterion in the form."""
    standin.then(marks(4, 4, 4, 4))
    await judge.verdict(inquiry(Component.RUBRIC, marked(), ""))
    (asked,) = standin.journal
    assert '"Why?"' in asked.last
    assert '{"point": "How often."}' in asked.last
    assert "grounding" in json.dumps(asked.body["response_format"])


def test_the_usage_of_verdicts_adds_up() -> None:
    """Numbers are added, missing ones count as 0, and texts are those of the first usage."""
    one = Verdict(1.0, {}, {"model": "m", "calls": 1, "cost": None})
    two = Verdict(1.0, {}, {"model": "m", "calls": 2, "cost": 0.5})
    assert total_usage([one]) == {"model": "m", "calls": 1, "cost": None}
    assert total_usage([one, two]) == {"model": "m", "calls": 3, "cost": 0.5}
    assert total_usage([two, one]) == {"model": "m", "calls": 3, "cost": 0.5}
