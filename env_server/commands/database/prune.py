"""`env-server prune`: delete closed episodes that are older than an age."""

from env_server.commands.database.ages import ended_before
from env_server.commands.database.existing import opened
from env_server.commands.output import console, print_json
from env_server.commands.setup import read_settings
from env_server.episodes.codec.keys import episodes_in, scope_of
from env_server.records.upkeep.prune import KeyNames, Pruned, Pruning

KEYS = KeyNames(scope_of, episodes_in)
WORDS = {
    "episodes": "episodes",
    "turns": "parts of turns",
    "rows": "row versions",
    "effects": "effects",
    "keys": "keys",
}


def run(older_than: str, *, dry_run: bool, as_json: bool) -> None:
    """Delete the episodes that ended before that age, or with `dry_run` only count them. Print the numbers."""
    settings = read_settings()
    before = ended_before(older_than, settings)
    with opened(settings) as engine:
        pruned = Pruning(engine, before, KEYS).run(dry=dry_run)
    if as_json:
        print_json({"dry_run": dry_run, **pruned._asdict()})
    else:
        console(as_json=False).print(shown(pruned, dry_run=dry_run), soft_wrap=True)


def shown(pruned: Pruned, *, dry_run: bool) -> str:
    """Return the numbers as one line."""
    numbers = ", ".join(f"{number:,} {WORDS[name]}" for name, number in pruned._asdict().items())
    return f"{'would be deleted' if dry_run else 'deleted'}: {numbers}"
