"""The base: the same made-up members and boats each time."""

from itertools import product
from random import Random
from typing import Any

FIRST = ("Ada", "Bo", "Cleo", "Dan", "Eva", "Finn", "Gwen", "Hugo", "Ines", "Jon")
LAST = ("Alder", "Birch", "Cedar", "Dogwood", "Elm", "Fir")
COLOURS = ("Blue", "Grey", "Red", "White")
BIRDS = ("Heron", "Kingfisher", "Plover", "Swallow", "Tern", "Wagtail")
DAMAGES = ("rudder", "keel", "mast", "hull")


def world() -> dict[str, list[dict[str, Any]]]:
    """Return the rows of the tables: all boats are in repair, and a task may mend one."""
    rng = Random(7)
    names = [" ".join(name) for name in product(COLOURS, BIRDS)]
    members = [
        {"member_id": f"M{i}", "name": " ".join(name), "boat_names": rng.sample(names, 3)}
        for i, name in enumerate(product(FIRST, LAST))
    ]
    boats = [
        {"boat_id": f"B{i}", "boat_name": name, "in_repair": rng.choice(DAMAGES), "saturday": None}
        for i, name in enumerate(names)
    ]
    return {"members": members, "boats": boats}
