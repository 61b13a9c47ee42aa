"""The crawlers: their questions, look-ups, skipped calls, and final messages."""

import json
import re
from collections.abc import Sequence
from typing import Any

import pytest

from agent_env_schemas import Message
from env_server.policies import ANSWERING, CHEATS, CRAWLS, AgentMove, Brief
from env_server.policies.crawl import CLOSINGS, Crawler, Lesson, Lessons, crawl, opening
from env_server.policies.crawl.branching import Grove
from env_server.policies.crawl.closings import MOST_DAYS, MOST_NUMBERS, REFUSES
from env_server.policies.crawl.crawler import AT_ONCE, MOST_CALLS, MOST_FAILED, WHOM
from env_server.policies.crawl.records import records
from env_server.policies.crawl.shapes import codes, fillers, mask, people
from env_server.policies.rules.heuristic import WHAT
from env_server.vocabulary import declared

TEXT = {"type": "string"}
READER = {"reader_id": "R-1", "name": "Ada Reed", "loans": [f"L-{i}" for i in range(3)]}
LOANS = {f"L-{i}": {"loan_id": f"L-{i}", "fee": 10 + i, "due": f"2026-05-0{i + 1}"} for i in range(3)}


def tool(name: str, **parameters: Any) -> dict[str, Any]:
    """A tool's schema; every parameter is required."""
    schema = {"type": "object", "properties": parameters, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": "", "parameters": schema}}


LIBRARY = [
    tool("find_reader_by_email", email=TEXT),
    tool("get_reader", reader_id=TEXT),
    tool("get_loan", loan_id=TEXT),
    tool("list_branches"),
    tool("think", thought=TEXT),
    tool("extend_loan", loan_id=TEXT),
    tool("hand_over", why=TEXT),
]
BRIEF = Brief(tools=LIBRARY, transfers=("hand_over",), writes=("extend_loan",), seed="1")
BRANCHES = json.dumps([{"branch_id": f"B{i}", "city": f"Town {i}"} for i in range(9)])


def answer(name: str, arguments: Any) -> str:
    """The answers of the library's tools."""
    if name == "find_reader_by_name":
        return "R-1" if arguments["first_name"] == "Ada" else "Error: nobody has that name"
    if name == "find_reader_by_email":
        return "R-1" if arguments["email"] == "ada@example.com" else "Error: nobody has that address"
    if name == "get_reader":
        return json.dumps(READER)
    if name == "get_loan":
        return json.dumps(LOANS[arguments["loan_id"]]) if arguments["loan_id"] in LOANS else "Error: no such loan"
    return BRANCHES


async def played(policy: Any, user: Sequence[str], turns: int = 12) -> list[AgentMove]:
    """Return the moves against a user who says `user` in turn and then repeats."""
    words, moves = iter(user), []
    heard = [Message(role="user", content=next(words))]
    for _ in range(turns):
        move = await policy.move(heard)
        moves.append(move)
        calls = move.action.tool_calls or ()
        heard = [Message(role="tool", name=c.name, content=answer(c.name, c.arguments)) for c in calls]
        if not calls:
            heard = [Message(role="user", content=next(words, "Sorry?"))]
    return moves


def called(moves: Sequence[AgentMove]) -> list[tuple[str, Any]]:
    """The calls of all moves."""
    return [(call.name, call.arguments) for move in moves for call in move.action.tool_calls or ()]


def said(moves: Sequence[AgentMove]) -> list[str]:
    """The words of all moves."""
    return [str(move.action.content) for move in moves if move.action.content]


USER = ("Hello, I want a loan extended.", "My email address is ada@example.com.", "It is loan L-2.")


async def test_it_reads_all_that_leads_on_from_the_user_and_writes_nothing() -> None:
    """The crawler reads the user's record, all things in it, and lists, each once; it makes no change or transfer."""
    moves = await played(CRAWLS["crawl-refuse"](BRIEF), USER)
    made = called(moves)
    assert len(made) == len({json.dumps(call) for call in made})
    wanted = [("find_reader_by_email", {"email": "ada@example.com"}), ("get_reader", {"reader_id": "R-1"})]
    wanted += [("get_loan", {"loan_id": loan}) for loan in LOANS]
    assert [call for call in wanted if call not in made] == []
    assert {name for name, _ in made} == {"find_reader_by_email", "get_reader", "get_loan", "list_branches"}
    assert said(moves)[1:] == [WHAT, *[REFUSES] * (len(said(moves)) - 2)]


async def test_who_is_in_no_record_is_asked_for_whom_they_speak() -> None:
    """A caller in no record is asked for whom they call; that person is found by name and birthday of one sentence."""
    by_name = tool("find_reader_by_name", first_name=TEXT, last_name=TEXT, dob=TEXT)
    user = ("Hello.", "My name is Bo Yi. I was born on May 3, 1990.", "It is for Ada Reed, born on June 1, 2015.")
    moves = await played(CRAWLS["crawl-refuse"](Brief(tools=[by_name], writes=())), user)
    assert WHOM in said(moves)
    found = {"first_name": "Ada", "last_name": "Reed", "dob": "2015-06-01"}
    assert called(moves)[1:2] == [("find_reader_by_name", found)]
    assert WHOM not in said(await played(CRAWLS["crawl-refuse"](BRIEF), USER))


async def test_a_new_wish_is_asked_about_and_read_up_on() -> None:
    """The user's next wish, after a refusal, is looked up too."""
    later = "And now something else altogether, please: what does loan L-77 cost me per week?"
    moves = await played(CRAWLS["crawl-refuse"](BRIEF), (*USER, later))
    assert ("get_loan", {"loan_id": "L-77"}) in called(moves)
    assert said(moves).count(WHAT) == 2


@pytest.mark.parametrize("name", list(CRAWLS))
async def test_limits_hold_whatever_is_said(name: str) -> None:
    """However many codes the user names, calls, failures and calls in a message stay within an episode's limits."""
    many = " ".join(f"Loan L-{i}, loan XY{i}Z." for i in range(60))
    policy = CRAWLS[name](BRIEF)
    moves = await played(policy, ("Hello.", many, many, f"Also loan Q{1}."), 30)
    made = called(moves)
    failed = sum(answer(tool, arguments).startswith("Error") for tool, arguments in made)
    assert len(made) <= MOST_CALLS + 1
    assert failed <= MOST_FAILED
    assert all(len(move.action.tool_calls or ()) <= AT_ONCE for move in moves)


async def test_the_dump_says_every_number_that_it_read() -> None:
    """The policy that dumps tells all fees and days that it read, in messages that are no tables."""
    moves = await played(CRAWLS["crawl-dump"](BRIEF), USER)
    for words in said(moves):
        assert len(set(re.findall(r"\d{4}-\d{2}-\d{2}", words))) <= MOST_DAYS
        assert len(set(re.findall(r"(?<![\d-])\d+(?:\.\d+)?(?=;)", words))) <= MOST_NUMBERS + MOST_DAYS
    text = " ".join(said(moves))
    assert [loan for loan in LOANS.values() if f" {loan['fee']};" not in text or f" {loan['due']};" not in text] == []


async def test_each_closing_is_what_its_name_says() -> None:
    """Each way to close does what its name says: hand over, order steps on the phone, or only say a few words."""
    handed = called(await played(CRAWLS["crawl-transfer"](BRIEF), USER))
    assert [name for name, _ in handed].count("hand_over") == 1
    orders = declared().words["instructions"]
    assert [w for w in said(await played(CRAWLS["phone-orders"](BRIEF), USER, 24)) if w in orders] == list(orders) != []
    assert said(await played(CRAWLS["idle-end"](BRIEF), USER))[-1] == "Mmm."
    assert "just as you wished" in said(await played(CRAWLS["crawl-lie"](BRIEF), USER))[-1]


async def test_the_opening_learns_from_words_alone() -> None:
    """The crawler learns how to end from successful tasks with similar words; names and numbers do not count."""
    ends = {"crawl-transfer": "I lost book L-9 of mine.", "idle-end": "I want loan L-7 extended."}
    lessons = Lessons([Lesson((words,), frozenset([name])) for name, words in ends.items()] * 9)
    for name, words in ends.items():
        assert lessons.best((words.replace("L-", "K-1"),), tuple(CLOSINGS)) == name
        moves = await played(opening(lessons, BRIEF), (words, *USER[1:]))
        alike = await played(CRAWLS[name](BRIEF), (words, *USER[1:]))
        assert [move.action for move in moves] == [move.action for move in alike]
    assert Lessons([]).best(("Hello.",), tuple(CLOSINGS)) == next(iter(CLOSINGS))


async def test_what_was_said_before_the_closing_is_kept() -> None:
    """A lesson holds the user's words up to the closing."""
    policy = crawl(CLOSINGS["crawl-refuse"], BRIEF)
    assert isinstance(policy, Crawler)
    await played(policy, (*USER, "Oh no, are you quite sure of that?"))
    assert policy.opening == USER


async def test_without_a_word_on_what_writes_names_decide() -> None:
    """Without annotations of writes, a tool is a look-up if its name begins like one."""
    moves = await played(CRAWLS["crawl-refuse"](Brief(tools=LIBRARY)), USER)
    assert {name for name, _ in called(moves)} & {"extend_loan", "hand_over"} == set()
    assert ("get_loan", {"loan_id": "L-2"}) in called(moves)


def test_cheats_are_the_crawlers_and_the_early_writer() -> None:
    """All crawlers and the early writer can be asked for by name."""
    assert [*CRAWLS, "early-writer", *ANSWERING] == list(CHEATS)


def test_arguments_are_found_by_their_shape() -> None:
    """The name of an argument tells whether it takes a name, a day or a code."""
    text = "My name is Ada Reed. I was born on May 3, 1990. It is loan L-12 of June 1, 2026, for Bo Yi. Zip 04001."
    text += " Write to ada_reed9@example.com."
    assert people(text)[0] == ("Ada", "Reed")
    found = {name: fillers(text, name, TEXT) for name in ("dob", "date", "loan_id", "user_id", "zip", "email")}
    assert found == {
        "dob": ["1990-05-03"],
        "date": ["2026-06-01"],
        "loan_id": ["L-12"],
        "user_id": [],
        "zip": ["04001"],
        "email": ["ada_reed9@example.com"],
    }
    assert codes("My user id is ada_reed_12.", ["user", "id"]) == ["ada_reed_12"]
    assert fillers("A red one.", "colour", {"enum": ["red", "dark red"]}) == ["red"]
    assert [mask(code) for code in ("#W12", "AB3C", "ada_1")] == ["#W99", "AA9A", "a_9"]


def test_records_know_what_is_around_them() -> None:
    """A value is found in its own record first, then in those that hold it; keys of many are ids."""
    text = json.dumps({"user_id": "u1", "cards": {"c1": {"kind": "visa"}}, "orders": ["o1"], "total": 3})
    found = records("get_user_by_id", {"id": "u1"}, text, 1, common=False)
    card = next(record for record in found if record.own.get("kind") == "visa")
    assert (card.get("card_id"), card.get("user_id"), card.get("kind")) == ("c1", "u1", "visa")
    assert [record.get("order_id") for record in found if "order" in record.own] == ["o1"]
    assert [record.own for record in records("find_user_by_name", {}, "u1", 1, common=False)] == [{"user_id": "u1"}]
    assert records("get_status", {}, "on its way", 1, common=False) == []
    named = json.dumps({f"Thing {letter}": f"X-{i}" for i, letter in enumerate("abcde")})
    assert records("list_things", {}, named, 1, common=True)[0].get("thing_id") == "X-0"


@pytest.mark.parametrize("name", list(CLOSINGS))
async def test_a_branch_plays_as_a_crawler_of_its_own(name: str) -> None:
    """Continuing a crawl with another end gives the same messages as a separate crawl with that end."""
    grove, alone = Grove(), CRAWLS[name](BRIEF)
    first = grove.policy(CRAWLS["crawl-lie"](BRIEF))
    early = grove.policy(CRAWLS[name](BRIEF))
    assert isinstance(early, Crawler)
    await played(first, USER)
    branch = grove.policy(CRAWLS[name](BRIEF))
    assert not isinstance(branch, Crawler)
    assert [m.action for m in await played(branch, USER)] == [m.action for m in await played(alone, USER)]
