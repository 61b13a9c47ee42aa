"""The rule-based agent: its reading of words, look-ups, confirmations, and rewards."""

import json
from typing import Any, Literal

import pytest

from agent_env_schemas import EpisodeReply, Message, ResetRequest, StepReply
from env_server.backends.local import LocalBackend, thrown_away
from env_server.domains.discovery import domains, packs
from env_server.policies import BASELINES, BLIND, POLICIES, AgentMove, Brief, Policy, rollout
from env_server.policies.rules.extraction import agrees, codes, numbers, told
from env_server.policies.rules.heuristic import EACH
from env_server.policies.rules.known import KnownValues
from env_server.settings import Settings

TEXT = {"type": "string"}


def tool(name: str, does: str, **parameters: Any) -> dict[str, Any]:
    """A tool's schema; every parameter is required."""
    schema = {"type": "object", "properties": parameters, "required": list(parameters)}
    return {"type": "function", "function": {"name": name, "description": does, "parameters": schema}}


LIBRARY = [
    tool("find_reader", "Find a reader by email address.", email=TEXT),
    tool("get_loans", "List a reader's loans.", reader_id=TEXT),
    tool("extend_loan", "Keep a book for longer.", loan_id=TEXT, weeks={"type": "integer"}),
    tool("report_damage", "Report a damaged book.", loan_id=TEXT, how={"type": "string", "enum": ["torn", "wet"]}),
    tool("ping", "Do nothing."),
    tool("hand_over", "Hand the reader over to a colleague.", why=TEXT),
]
LOANS = json.dumps([{"loan_id": "L-1", "title": "Dune"}, {"loan_id": "L-2", "title": "Emma"}])


def librarian() -> Policy:
    """The agent in a library."""
    return BASELINES["heuristic"](Brief(tools=LIBRARY, transfers=("hand_over",)))


async def says(policy: Policy, words: str) -> AgentMove:
    """Return the agent's action after the user's message."""
    return await moves(policy, Message(role="user", content=words))


async def moves(policy: Policy, *heard: Message) -> AgentMove:
    """Return the agent's next actions."""
    move = await policy.move(heard)
    assert move is not None
    return move


def answers(name: str, content: str) -> Message:
    """What a tool answers."""
    return Message(role="tool", name=name, content=content)


def called(move: AgentMove) -> list[tuple[str, dict[str, Any]]]:
    """The calls of a move."""
    return [(call.name, call.arguments) for call in move.action.tool_calls or () if isinstance(call.arguments, dict)]


async def asked(policy: Policy, wish: str) -> AgentMove:
    """The move after the look-ups that follow `wish`, from a reader with an email address."""
    await says(policy, "Hello.")
    await says(policy, "My email address is ada@example.com.")
    assert called(await says(policy, wish)) == [("find_reader", {"email": "ada@example.com"})]
    assert called(await moves(policy, answers("find_reader", "reader_7"))) == [("get_loans", {"reader_id": "reader_7"})]
    return await moves(policy, answers("get_loans", LOANS))


async def test_it_asks_who_it_is_and_what_they_want() -> None:
    """The agent first asks for the arguments of the tools that find people, and for the wish."""
    policy = librarian()
    assert "email?" in str((await says(policy, "Hello.")).action.content)
    assert "What exactly" in str((await says(policy, "I am Ada.")).action.content)


async def test_it_changes_what_the_user_means_after_a_yes() -> None:
    """The agent finds the loan by its title and the number by its word, asks for a yes, acts, and reports."""
    policy = librarian()
    proposal = await asked(policy, "Please extend my loan of Emma. By 3 weeks.")
    assert "extend loan (loan_id: L-2, weeks: 3)" in str(proposal.action.content)
    assert called(await says(policy, "Yes, please!")) == [("extend_loan", {"loan_id": "L-2", "weeks": 3})]
    told_so = await moves(policy, answers("extend_loan", "Due on May 3."))
    assert "Due on May 3." in str(told_so.action.content)
    assert told_so.last


async def test_it_changes_nothing_after_a_no() -> None:
    """After a no, the agent at most asks again."""
    policy = librarian()
    await asked(policy, "Please extend my loan of Emma. By 3 weeks.")
    assert called(await says(policy, "No, leave it.")) == []


async def test_it_asks_for_what_a_change_lacks() -> None:
    """The agent asks for a missing number and then uses it."""
    policy = librarian()
    lacking = await asked(policy, "Please extend my loan of Dune.")
    assert "weeks" in str(lacking.action.content)
    assert "weeks: 2" in str((await says(policy, "Make it 2 weeks.")).action.content)


async def test_it_says_when_a_change_failed() -> None:
    """The agent reports a failed change as failed."""
    policy = librarian()
    await asked(policy, "I want to report damage: Dune got wet.")
    assert called(await says(policy, "Yes.")) == [("report_damage", {"loan_id": "L-1", "how": "wet"})]
    failed = await moves(policy, answers("report_damage", "Error: it was torn before"))
    assert "did not work: Error: it was torn before" in str(failed.action.content)


def test_words_are_read_by_their_shape() -> None:
    """Addresses, phone numbers, zip codes, names and days are told apart by their form, in every domain."""
    found = told(
        "My name is Ada Reed. I was born on May 3, 1990. It leaves on 2024-05-20. My zip code is 04001. "
        "Write to ada.reed@example.com. or call 555-010-2233."
    )
    assert found == {
        "email": ["ada.reed@example.com"],
        "phone": ["555-010-2233"],
        "phone_number": ["555-010-2233"],
        "zip": ["04001"],
        "full_name": ["Ada Reed"],
        "first_name": ["Ada"],
        "last_name": ["Reed"],
        "dob": ["1990-05-03"],
        "date": ["2024-05-20"],
    }
    assert codes("It is order #W12. My user id is ada_7.", "order") == ["#W12"]
    assert codes("It is order #W12. My user id is ada_7.", "user") == ["ada_7"]
    assert numbers("The tip is $4.50. Bags: 3.", "tip") == [4.5]
    assert [agrees(words) for words in ("Yes!", "ok then", "No.", "Yesterday")] == [True, True, False, False]


def test_ids_are_ranked_by_what_is_said_of_them() -> None:
    """The record that shares most words with the user comes first; ids of other people are no candidates."""
    known = KnownValues()
    known.hear("Take the blue card.")
    known.learn("get_user", json.dumps({"payment_methods": {"card_1": {"color": "red"}, "card_2": {"color": "blue"}}}))
    assert known.values("payment_id", TEXT) == ["card_2", "card_1"]
    assert known.values("payment_method_ids", {"type": "array", "items": TEXT}) == [["card_2"], ["card_1"]]
    assert known.values("order_id", TEXT) == []


async def played(
    local: LocalBackend, domain: str, index: int, conduct: Literal["score", "off"] = "score"
) -> tuple[EpisodeReply, StepReply]:
    """A test task, played by rules."""
    begun = await local.reset(ResetRequest(domain=domain, split="test", index=index, conduct=conduct))
    brief = Brief(tools=begun.tools, transfers=("transfer_to_human_agents",))
    return begun, await rollout(local, begun, BASELINES["heuristic"](brief))


@pytest.mark.parametrize("domain", [name for name, domain in domains().items() if not domain.servers])
async def test_it_plays_every_domain_the_same_way_twice(domain: str) -> None:
    """No task raises an error or leads to a transfer, and a second run reaches the same state."""
    async with thrown_away(Settings(_env_file=None)) as local:
        for index in range(2):
            (_, first), (_, again) = [await played(local, domain, index) for _ in range(2)]
            assert (first.reward, first.turn, first.state_hash) == (again.reward, again.turn, again.state_hash)
            assert first.stop_reason in ("user_stop", "max_turns")


async def test_it_solves_some_tasks_of_an_unknown_domain() -> None:
    """In a domain where `random` solves no task, the heuristic solves some, judged by outcomes."""
    async with thrown_away(Settings(_env_file=None)) as local:
        rewards = [(await played(local, "airline", index, "off"))[1].reward for index in range(30)]
    assert rewards.count(1.0) >= 1


def test_it_is_a_baseline_and_no_measure_of_tasks() -> None:
    """An evaluation may use this policy, but the audit, which expects only the oracle to score, does not play it."""
    assert set(BASELINES) - set(POLICIES) == {"gold", "heuristic"}
    assert "heuristic" not in BLIND


async def test_look_ups_are_bounded() -> None:
    """The number of look-ups for a member with many loans is bounded."""
    many = [tool("get_shelf", "Get a shelf.", shelf_id=TEXT), *LIBRARY[:2]]
    policy = BASELINES["heuristic"](Brief(tools=many))
    await says(policy, "Hello.")
    await says(policy, "I am ada@example.com.")
    move, shelves = await says(policy, "Tell me about my shelf."), 0
    while called(move):
        name = called(move)[0][0]
        shelves += name == "get_shelf"
        move = await moves(policy, answers(name, json.dumps({"shelf_ids": [f"S{i}" for i in range(20)]})))
    assert shelves == EACH


def test_every_builtin_tool_is_understood() -> None:
    """The values offered for any argument of any builtin tool are found without an error, whatever was heard."""
    known = KnownValues()
    known.hear("I am Ada, my number is 007, order #W1, 3 items, May 99, 2024.")
    for domain in domains().values():
        for schema in packs(domain, {})["builtin"].schemas:
            known.learn(schema["function"]["name"], '{"a": [1, [2], {"b": null}], "c": {}}')
            for name, parameter in schema["function"]["parameters"]["properties"].items():
                assert isinstance(known.values(name, parameter), list)
