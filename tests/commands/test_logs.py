"""What is logged, and what is not."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import stamina.instrumentation
import structlog

from env_server.commands.logs import configure_logs
from env_server.models import Endpoint, ModelConfig
from tests.standin.fixtures import running, standin
from tests.standin.protocol import Reply
from tests.standin.server import StandIn

__all__ = ["running", "standin"]


@pytest.fixture
def logged() -> Iterator[io.StringIO]:
    """Collect the log from now on; afterwards logging is as before."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    configure_logs(stream)
    yield stream
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()
    stamina.instrumentation.set_on_retry_hooks(None)


def told(logged: io.StringIO) -> list[dict[str, Any]]:
    """The log, without the endpoint's own lines."""
    lines = [json.loads(line) for line in logged.getvalue().splitlines()]
    return [line for line in lines if not line["logger"].startswith("uvicorn")]


async def test_a_models_calls_are_not_logged_and_its_failures_are(logged: io.StringIO, standin: StandIn) -> None:
    """A call of a model has no line; a failure has one, and one says when it is retried and why."""
    endpoint = Endpoint(standin.url, "the-key", ModelConfig(retries=1))
    question = [{"role": "user", "content": "Hi"}]
    await endpoint.ask("m", question, {})
    assert told(logged) == []
    standin.then(Reply(status=429, headers={"retry-after": "0.01"}))
    await endpoint.ask("m", question, {})
    await endpoint.close()
    failed, again = told(logged)
    assert (failed["event"], failed["why"]) == ("a model failed", "the endpoint answered 429")
    assert (again["event"], again["after_s"], again["why"]) == ("trying again", 0.01, "the endpoint answered 429")
