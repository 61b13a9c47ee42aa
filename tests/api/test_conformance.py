"""The application held against its own document: random requests, some that it allows and some that it forbids."""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.api.talk import Api

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
few = settings(max_examples=30, suppress_health_check=list(HealthCheck))
random = st.sampled_from([GenerationMode.POSITIVE, GenerationMode.NEGATIVE])

ROUTES = [(method, path) for route in create_app(Settings(_env_file=None)).routes for path, method in documented(route)]
