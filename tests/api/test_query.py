"""Query parameters that no endpoint has."""

import pytest

from tests.api.talk import Api


@pytest.mark.parametrize(
    ("method", "path", "said"),
    [
        ("GET", "/episodes?rum=x", "rum: no such query parameter here; the parameters are run, "),
        ("GET", "/domains/retail/tasks?split=test&splt", "splt: "),
        ("GET", "/domains?x=1", "x: no such query parameter here; it has none"),
        ("POST", "/reset?domain=retail", "domain: "),
        ("POST", "/step?%20=1", " : "),
    ],
)
def test_a_misspelt_parameter_is_refused(api: Api, method: str, path: str, said: str) -> None:
    """If it were ignored, a misspelt filter would return everything."""
    assert api.problem(method, path, "invalid_request").detail.startswith(said)


def test_pages_and_probes_take_any_query(api: Api) -> None:
    """Browsers, caches and load balancers add parameters of their own."""
    for path in ("/healthz?probe=1", "/docs?theme=dark", "/openapi.json?v=2"):
        assert api.send("GET", path).status_code == 200


def test_every_documented_parameter_is_known(api: Api) -> None:
    """A request with a parameter of the OpenAPI document is never refused for its name."""
    for path, operations in api.document["paths"].items():
        for method, operation in operations.items():
            for parameter in operation.get("parameters", ()):
                if parameter["in"] == "query":
                    answer = api.send(method.upper(), f"{path}?{parameter['name']}=1")
                    assert "no such query parameter" not in answer.text
