"""The generated pages of the reference, one module each: what the code says, and nothing else."""

from collections.abc import Mapping

from scripts.docsite.reference import commands, errors, metrics, rest, settings, tools


def pages() -> Mapping[str, str]:
    """Return file -> text."""
    return {
        "rest.md": rest.page(),
        "commands.md": commands.page(),
        "settings.md": settings.page(),
        "metrics.md": metrics.page(),
        **tools.pages(),
        "errors.md": errors.page(),
    }
