"""A client of the API that checks each reply and each problem against the models of the OpenAPI document."""

import operator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Any, cast

import httpx2
from fastapi import FastAPI
from pydantic import TypeAdapter
from starlette.routing import compile_path
from starlette.testclient import TestClient

import agent_env_schemas
from agent_env_schemas import EpisodeReply, GroupReply, Problem, StepReply, Wire

THINK = {"name": "think", "arguments": {"thought": "hm"}}


@dataclass
class Api:
    """A client that checks each reply."""

    client: TestClient

    @property
    def app(self) -> FastAPI:
        """The application behind the client."""
        return cast(FastAPI, self.client.app)

    @cached_property
    def document(self) -> dict[str, Any]:
        """The OpenAPI document; the server plays episodes to make its examples."""
        assert self.client.portal is not None
        self.client.portal.call(self.app.state.episodes.get)
        return self.app.openapi()

    @cached_property
    def domain(self) -> str:
        """The domain that these tests play unless they say otherwise."""
        return "retail"

    def operation(self, method: str, url: str) -> dict[str, Any] | None:
        """What the document says about a request, or None if it does not have the endpoint."""
        path = url.partition("?")[0]
        for template, operations in self.document["paths"].items():
            pattern, _, _ = compile_path(template)
            if pattern.match(path) and method.lower() in operations:
                found: dict[str, Any] = operations[method.lower()]
                return found
        return None

    def send(self, method: str, url: str, **options: Any) -> httpx2.Response:
        """Send a request; its reply must be what the document promises for its status."""
        response = self.client.request(method, url, **options)
        self.check(method, url, response)
        return response

    def check(self, method: str, url: str, response: httpx2.Response) -> None:
        """Check a response against the document."""
        assert response.headers["x-request-id"]
        kind = response.headers.get("content-type", "")
        if response.status_code >= 400:
            assert kind == "application/problem+json"
            problem = Problem.model_validate_json(response.content)
            assert problem.status == response.status_code
            assert problem.request_id == response.headers["x-request-id"]
            self._check_documented(method, url, problem)
        elif operation := self.operation(method, url):
            content = operation["responses"][str(response.status_code)]["content"]
            assert kind.partition(";")[0] in content
            schema = content.get("application/json", {}).get("schema", {})
            kinds = [kind["$ref"] for kind in schema.get("anyOf", [schema]) if "$ref" in kind]
            if kinds:
                model(kinds).validate_json(response.content)

    def _check_documented(self, method: str, url: str, problem: Problem) -> None:
        operation = self.operation(method, url)
        if operation is not None:
            documented = operation["responses"].get(str(problem.status), {}).get("description", "")
            assert f"`{problem.code}`" in documented, f"{method} {url}: {problem.code} is not documented"

    def problem(self, method: str, url: str, code: str, **options: Any) -> Problem:
        """The problem with `code` that a request must end with."""
        response = self.send(method, url, **options)
        assert response.status_code >= 400, response.text
        problem = Problem.model_validate_json(response.content)
        assert problem.code == code, problem.detail
        return problem

    def get(self, url: str, **options: Any) -> Any:
        """The reply to a GET that must succeed."""
        response = self.send("GET", url, **options)
        assert response.status_code == 200, response.text
        return response.json()

    def post(self, url: str, body: Any = None, **options: Any) -> Any:
        """The reply to a POST that must succeed."""
        response = self.send("POST", url, json=body if body is not None else {}, **options)
        assert response.status_code == 200, response.text
        return response.json()

    def begin(self, **body: Any) -> EpisodeReply:
        """A new episode of the first test task."""
        which = {} if {"task", "task_id", "split", "index"} & body.keys() else {"split": "test", "index": 0}
        return EpisodeReply.model_validate(self.post("/reset", {"domain": self.domain, **which, **body}))

    def group(self, n: int, **body: Any) -> GroupReply:
        """A group of episodes."""
        return GroupReply.model_validate(self.post("/reset", {"domain": self.domain, "n": n, **body}))

    def step(self, episode: str, action: Any, turn: int | None = None, **body: Any) -> StepReply:
        """Play a turn."""
        numbered = {} if turn is None else {"turn": turn}
        return StepReply.model_validate(
            self.post("/step", {"episode_id": episode, "action": action, **numbered, **body})
        )

    def calls(self, episode: str, *calls: dict[str, Any], turn: int | None = None) -> StepReply:
        """Play a turn that makes calls."""
        return self.step(episode, {"tool_calls": list(calls)}, turn)

    def say(self, episode: str, content: str, turn: int | None = None) -> StepReply:
        """The external user's words."""
        numbered = {} if turn is None else {"turn": turn}
        return StepReply.model_validate(self.post(f"/episodes/{episode}/user", {"content": content, **numbered}))


def model(references: list[str]) -> TypeAdapter[Any]:
    """The wire model behind a `$ref`, or a choice of them."""
    kinds: list[type[Wire]] = [getattr(agent_env_schemas, reference.rpartition("/")[2]) for reference in references]
    return TypeAdapter(reduce(operator.or_, kinds))
