"""The application is tested against its own document with random requests, allowed and forbidden ones."""

from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from env_server.app import create_app
from env_server.settings import Settings
from tests.api.talk import Api

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]

ROUTES = [route for route in create_app(Settings(_env_file=None)).routes if isinstance(route, APIRoute)]
ENDPOINTS = [(m, route.path_format) for route in ROUTES if route.include_in_schema for m in route.methods or ()]
LIVE = [(m, path) for m, path in ENDPOINTS if "{episode_id}" in path or path == "/step"]

few = settings(max_examples=12, suppress_health_check=list(HealthCheck))
modes = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE])


@pytest.fixture(scope="module")
def described(api: Api) -> BaseSchema:
    """The document as schemathesis reads it."""
    return schemathesis.openapi.from_dict(api.document)


def conforms(api: Api, case: Case[Any]) -> None:
    """Send a generated request and check the response."""
    request = case.as_transport_kwargs(base_url="http://localhost")
    request.pop("cookies", None)
    if isinstance(request.get("data"), bytes):
        request["content"] = request.pop("data")
    case.validate_response(api.client.request(**request), checks=CHECKS)


@pytest.mark.parametrize(("method", "path"), ENDPOINTS)
@given(data=st.data(), mode=modes)
@few
def test_any_request_is_answered_as_documented(
    api: Api, described: BaseSchema, method: str, path: str, data: st.DataObject, mode: GenerationMode
) -> None:
    """No 5xx, no undocumented status, and every body fits its schema."""
    conforms(api, data.draw(described[path][method].as_strategy(mode)))


@pytest.mark.parametrize(("method", "path"), LIVE)
@given(data=st.data(), mode=modes)
@few
def test_any_request_about_a_live_episode_is_answered_as_documented(
    api: Api, described: BaseSchema, method: str, path: str, data: st.DataObject, mode: GenerationMode
) -> None:
    """The same holds for requests about an episode that exists."""
    episode = api.begin(user={"strategy": "external", "first_message": "Hello."}).episode_id
    case = data.draw(described[path][method].as_strategy(mode))
    if "episode_id" in case.path_parameters:
        case.path_parameters["episode_id"] = episode
    elif isinstance(case.body, dict):
        case.body["episode_id"] = episode
    conforms(api, case)
