"""compose.yaml against the server and the files that it names. `make test-deployment` validates it as compose does."""

import re
from pathlib import Path
from typing import Any

import yaml

from env_server.settings import CLIENTS, PREFIX, Settings

ROOT = Path(__file__).parents[2]
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]
PROFILES = {"env-server": None, "env-server-postgres": "postgres", "postgres": "postgres", "train": "train"}
PROFILES |= {"load-balancer": "postgres"}
PROFILES |= {"prometheus": "monitoring", "grafana": "monitoring"}
UNIT = (ROOT / "docker" / "env-server.service").read_text("utf-8")


def test_services_and_their_profiles() -> None:
    """`docker compose up` starts one server; everything else waits for its profile."""
    tool_servers = {name: "mcp" for name in SERVICES if name.startswith("mcp-")}
    found = {name: service.get("profiles", [None]) for name, service in SERVICES.items()}
    assert found == {name: [profile] for name, profile in {**PROFILES, **tool_servers}.items()}


def test_ports_are_published_on_loopback_alone() -> None:
    """No service can be reached from the network, because servers without keys serve everybody."""
    ports = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert len(ports) == len(set(ports)) >= 9
    assert [port for port in ports if not port.startswith("127.0.0.1:${")] == []


def test_settings_are_settings() -> None:
    """Every variable with the server's prefix is a setting; .env wins over all but address, port, database, cache."""
    for name in ("env-server", "env-server-postgres"):
        given = SERVICES[name]["environment"]
        assert Settings.unknown(given) == []
        fixed = {key for key, value in given.items() if not value.startswith(f"${{{key}:-")}
        assert fixed == {f"{PREFIX}{field}" for field in ("HOST", "PORT", "DATABASE_URL", "CACHE_DIR")}
        assert SERVICES[name]["env_file"] == [{"path": ".env", "required": False}]
    named = set(re.findall(rf"\b{PREFIX}\w+", str(SERVICES["train"]) + str(SERVICES["prometheus"])))
    assert named <= CLIENTS
    assert len(named) == 2


def test_what_is_mounted_and_built_exists() -> None:
    """Mounted files and folders are in the repository, but for the trainer's results; so are the Dockerfiles."""
    mounts = {v.split(":")[0] for s in SERVICES.values() for v in s.get("volumes", ()) if v.startswith("./")}
    assert len(mounts) >= 4
    assert [mount for mount in sorted(mounts - {"./runs"}) if not (ROOT / mount).exists()] == []
    for service in SERVICES.values():
        if build := service.get("build"):
            assert build["context"] == "."
            assert (ROOT / build["dockerfile"]).is_file()


def test_images_can_be_pinned() -> None:
    """Each image that is not built here, and the base of the server's, has a version and can be replaced from .env."""
    images = {service["image"] for service in SERVICES.values() if "build" not in service}
    images.add(SERVICES["env-server"]["build"]["args"]["PYTHON_IMAGE"])
    assert len(images) == 5
    example = (ROOT / ".env.example").read_text("utf-8")
    for image in images:
        found = re.fullmatch(r"\$\{(\w+_IMAGE):-([a-z/]+:[\w.-]+)\}", image)
        assert found, image
        assert f"#{found[1]}={found[2]}\n" in example
    (base,) = re.findall(r"^ARG PYTHON_IMAGE=(\S+)$", (ROOT / "docker" / "Dockerfile").read_text("utf-8"), re.M)
    assert f":-{base}}}" in SERVICES["env-server"]["build"]["args"]["PYTHON_IMAGE"]


def test_public_data_is_mounted_where_the_settings_say() -> None:
    """A checkout that .env names is mounted at the same path in the container, read-only; without one nothing is."""
    for name in ("env-server", "env-server-postgres"):
        for setting in ("ENV_SERVER_TAU2_DIR", "ENV_SERVER_TAU1_DIR"):
            assert setting.removeprefix(PREFIX).lower() in Settings.model_fields
            (mount,) = [volume for volume in SERVICES[name]["volumes"] if setting in volume]
            assert re.fullmatch(rf"\$\{{{setting}:-/dev/null\}}:\$\{{{setting}:-/tau\d\}}:ro", mount)


def test_prometheus_and_grafana_find_each_other() -> None:
    """Prometheus reads the port of a service here, and Grafana asks the service of that name and has the dashboards."""
    (job,) = yaml.safe_load((ROOT / "docker" / "prometheus.yaml").read_text("utf-8"))["scrape_configs"]
    assert job["static_configs"] == [{"targets": ["env-server:8000"]}]
    assert f"> {job['authorization']['credentials_file']} " in SERVICES["prometheus"]["entrypoint"][-1]
    provisioning = ROOT / "docker" / "grafana" / "provisioning"
    (source,) = yaml.safe_load((provisioning / "datasources" / "prometheus.yaml").read_text("utf-8"))["datasources"]
    assert source["url"] == "http://prometheus:9090"
    (provider,) = yaml.safe_load((provisioning / "dashboards" / "env-server.yaml").read_text("utf-8"))["providers"]
    assert f"./docker/grafana:{provider['options']['path']}:ro" in SERVICES["grafana"]["volumes"]


def test_the_load_balancer_finds_the_replicas() -> None:
    """The load balancer asks the replicas by their service's name, without stickiness, and alone publishes a port."""
    text = (ROOT / "docker" / "load-balancer.cfg").read_text("utf-8")
    (template,) = re.findall(r"^    server-template (\S+) (\d+) (\S+):(\d+) ", text, re.M)
    replicas, balancer = SERVICES[template[2]], SERVICES["load-balancer"]
    assert template[3] == replicas["environment"]["ENV_SERVER_PORT"]
    assert replicas["deploy"] == {"replicas": "${POSTGRES_ENV_SERVER_REPLICAS:-2}"}
    assert "ports" not in replicas, "several containers cannot publish one port"
    assert balancer["ports"] == ["127.0.0.1:${POSTGRES_ENV_SERVER_PORT:-8010}:8000"]
    assert "bind :8000\n" in text
    assert re.search(r"^    option httpchk GET /readyz$", text, re.M)
    assert not re.search(r"^\s*(cookie|stick|balance source)", text, re.M)
    assert balancer["volumes"] == ["./docker/load-balancer.cfg:/usr/local/etc/haproxy/haproxy.cfg:ro"]


def test_the_unit_sets_settings() -> None:
    """The unit of systemd runs a command of this project, and the variables that it sets are settings."""
    assert re.search(r"^ExecStart=\S+/bin/env-server serve$", UNIT, re.M)
    given = re.findall(r"^Environment=(\w+)=", UNIT, re.M)
    assert len(given) == 3
    assert Settings.unknown(given) == []
