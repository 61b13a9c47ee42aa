"""The manifests of docker/kubernetes fit each other, the image and the server. The schemas are another tier."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from env_server.api.pages import OPEN_PATHS
from env_server.settings import Settings

FOLDER = Path(__file__).parents[2] / "docker" / "kubernetes"
Json = dict[str, Any]


def objects(kind: str | None = None) -> list[Json]:
    """All objects of the manifests, or those of a kind."""
    found = [each for file in sorted(FOLDER.glob("*.yaml")) for each in yaml.safe_load_all(file.read_text("utf-8"))]
    return [each for each in found if kind in (None, each["kind"])]


def one(kind: str) -> Json:
    """The only object of a kind."""
    (found,) = objects(kind)
    return found


def pods() -> Iterator[Json]:
    """The pod templates."""
    yield from (each["spec"]["template"] for each in objects() if "template" in each.get("spec", {}))


def test_what_operators_expect_is_there() -> None:
    """The manifests have one object of each kind."""
    expected = "ConfigMap Deployment HorizontalPodAutoscaler Job NetworkPolicy PodDisruptionBudget Service"
    assert " ".join(sorted(each["kind"] for each in objects())) == expected


def test_the_parts_fit_each_other() -> None:
    """Service, budget, network policy and autoscaler refer to the Deployment's pods. Probes ask open paths."""
    deployment = one("Deployment")
    pod = deployment["spec"]["template"]
    labels = pod["metadata"]["labels"]
    (container,) = pod["spec"]["containers"]
    port = container["ports"][0]["name"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels
    assert one("Service")["spec"]["selector"] == labels
    assert one("Service")["spec"]["ports"][0]["targetPort"] == port
    assert one("PodDisruptionBudget")["spec"]["selector"]["matchLabels"] == labels
    target = one("HorizontalPodAutoscaler")["spec"]["scaleTargetRef"]
    assert (target["kind"], target["name"]) == ("Deployment", deployment["metadata"]["name"])
    (chosen,) = one("NetworkPolicy")["spec"]["podSelector"]["matchExpressions"]
    assert {each["metadata"]["labels"][chosen["key"]] for each in pods()} == set(chosen["values"])
    assert one("NetworkPolicy")["spec"]["ingress"][0]["ports"][0]["port"] == port
    probes = [container[f"{name}Probe"]["httpGet"] for name in ("startup", "readiness", "liveness")]
    assert {probe["path"] for probe in probes} <= OPEN_PATHS
    assert {probe["port"] for probe in probes} == {port}


def test_the_settings_exist() -> None:
    """The server knows each setting of the ConfigMap, listens on the pod's port, and answers to the Service's name."""
    settings = one("ConfigMap")["data"]
    assert Settings.unknown(settings) == []
    (container,) = one("Deployment")["spec"]["template"]["spec"]["containers"]
    assert int(settings["ENV_SERVER_PORT"]) == container["ports"][0]["containerPort"]
    assert one("Service")["metadata"]["name"] in settings["ENV_SERVER_ALLOWED_HOSTS"].split(",")
    assert {source["configMapRef"]["name"] for source in container["envFrom"] if "configMapRef" in source} == {
        one("ConfigMap")["metadata"]["name"]
    }


def test_no_pod_has_rights() -> None:
    """Every pod runs as the user of the image, on a read-only root, without capabilities and without an API token."""
    users = {
        line.split()[3] for line in (FOLDER.parent / "Dockerfile").read_text("utf-8").splitlines() if "useradd" in line
    }
    for pod in pods():
        spec = pod["spec"]
        assert spec["automountServiceAccountToken"] is False
        assert spec["securityContext"]["runAsNonRoot"] is True
        assert {str(spec["securityContext"]["runAsUser"])} == users
        for container in spec["containers"]:
            rights = container["securityContext"]
            assert rights["readOnlyRootFilesystem"] is True
            assert rights["allowPrivilegeEscalation"] is False
            assert rights["capabilities"] == {"drop": ["ALL"]}
