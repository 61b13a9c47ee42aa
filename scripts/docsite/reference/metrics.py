"""The page of metrics."""

from collections.abc import Iterator, Sequence

from env_server.telemetry import metrics
from scripts.docsite.markdown import code, table

HEAD = """# Metrics

*Generated from the code.*

`/metrics` answers in Prometheus' text format. [Operating a server](../operating.md#metrics) explains the labels and
has dashboards.

"""


def page() -> str:
    """Return the page."""
    return HEAD + table(("metric", "kind", "labels", "meaning"), rows())


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield name, kind, labels and meaning of each metric."""
    declared = {getattr(found, "_name", None): found for found in vars(metrics).values()}
    for family in metrics.REGISTRY.collect():
        name = family.name + ("_total" if family.type == "counter" else "")
        source = declared.get(family.name)
        labels: Sequence[str] = getattr(source, "_labelnames", ()) or getattr(source, "_labels", ())
        yield code(name), family.type, ", ".join(map(code, labels)), family.documentation
