"""Episodes as a node of a graph of LangGraph (`langgraph`), for the chat models of LangChain."""

from collections.abc import Awaitable, Callable
from typing import Any

from trainer_client.client import AsyncEpisode
from trainer_client.integrations.needed import needed
from trainer_client.integrations.results import for_endpoint

with needed("langgraph", "langgraph", "langchain_core"):
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, AnyMessage, convert_to_messages, convert_to_openai_messages
    from langgraph.graph import END, START, MessagesState, StateGraph
    from langgraph.graph.state import CompiledStateGraph

Node = Callable[[MessagesState], Awaitable[dict[str, Any]]]
"""A node of a graph whose state is a conversation."""


def environment(episode: AsyncEpisode) -> Node:
    """Return a node that plays the agent's newest message as a turn, and adds what the environment answers."""

    async def play(state: MessagesState) -> dict[str, Any]:
        action = _action(state["messages"][-1])
        await episode.step(action)
        made = {call["id"] for call in action.get("tool_calls", ())}
        return {"messages": convert_to_messages(for_endpoint(episode.observation, made))}

    return play


def _action(said: AnyMessage) -> dict[str, Any]:
    """Return the model's message as an action. Calls that LangChain could not read stay as the model wrote them."""
    action: Any = convert_to_openai_messages(said)
    broken = said.invalid_tool_calls if isinstance(said, AIMessage) else ()
    calls = [
        {"type": "function", "id": c["id"], "function": {"name": c["name"] or "", "arguments": c["args"] or ""}}
        for c in broken
    ]
    return {**action, "tool_calls": [*action.get("tool_calls", ()), *calls]} if calls else dict(action)


def agent(model: BaseChatModel, episode: AsyncEpisode) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Return a graph in which `model` plays `episode` until it has ended: `graph.ainvoke(beginning(episode))`.

    A message of the model without a call speaks to the user.
    """
    with_tools = model.bind_tools(episode.tools)

    async def think(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await with_tools.ainvoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("agent", think)
    graph.add_node("environment", environment(episode))
    graph.add_edge(START, "agent")
    graph.add_edge("agent", "environment")
    graph.add_conditional_edges("environment", lambda _: END if episode.done else "agent")
    return graph.compile()


def beginning(episode: AsyncEpisode) -> dict[str, list[AnyMessage]]:
    """Return the state with which a run begins: the conversation so far."""
    messages: Any = convert_to_messages(episode.messages)
    return {"messages": messages}
