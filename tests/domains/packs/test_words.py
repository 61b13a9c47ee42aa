"""The texts of a public pack's tools are those of the checkout's sources, which are parsed and never run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import TypedDict

from env_server.domains.kit import READ, Db, Dialect, Tool, tool
from env_server.domains.packs import available, tau1, tau1_words, tau2, tau2_words
from env_server.errors import PackError
from tests.domains.packs.library import LIBRARY, TAU2_TASK, tau1_checkout, tau2_checkout, write


class Shelf(TypedDict):
    """Our words for a shelf."""

    room: str
    height: int


@tool(kind=READ)
def find_book(  # noqa: D417  # the server hands in `db`
    db: Db[Dialect], title: str, shelf: Shelf | None = None, limit: int = 5
) -> str:
    """Find a book, in our words.

    Args:
        title: Our title.
        shelf: Our shelf.
        limit: Our limit.
    """
    return ""


@tool(kind=READ)
def lend(db: Db[Dialect], book_id: str) -> str:  # noqa: D417  # the server hands in `db`
    """Lend a book, in our words.

    Args:
        book_id: Our book.
    """
    return ""


OURS: Mapping[str, Tool] = {"find_book": find_book, "lend": lend}

TAU2_TOOLS = '''
from tau2.nowhere import ToolKitBase, is_tool
raise SystemExit("never run")

class LibraryTools(ToolKitBase):
    @is_tool(ToolType.READ)
    def find_book(self, title: str, shelf: "Shelf" = None, limit: int = 5) -> str:
        """
        Find a book.
        It may be lent.

        The second paragraph
          is indented.

        Args:
            title: The title, such as 'Dune',
                or a part of it.
            shelf: Where to look.

        Returns:
            The book.

        Raises:
            ValueError: If it is not there.
        """

    def lend(self, book_id: str) -> str:
        """It is no tool without the mark."""
'''

TAU2_MODELS = '''
class Shelf(BaseModel):
    """Upstream's
    shelf."""

    room: str = Field(description="The room, " "as on its door.")
    height: int
'''


def tau2_sources(root: Path, tools: str = TAU2_TOOLS, models: str = TAU2_MODELS) -> Path:
    """The library's sources in tau2-bench's layout."""
    folder = root / "src" / "tau2" / "domains" / "library"
    write(folder / "tools.py", tools)
    write(folder / "data_model.py", models)
    return folder


def test_tau2_shows_what_upstream_shows(tmp_path: Path) -> None:
    """A description has both parts of the docstring, arguments, records in the models' words, and titles."""
    (shown,) = tau2_words.schemas(tau2_sources(tmp_path), OURS, {}).values()
    assert shown == {
        "type": "function",
        "function": {
            "name": "find_book",
            "description": "Find a book.\n\nIt may be lent.\n\nThe second paragraph\n  is indented.",
            "parameters": {
                "$defs": {
                    "Shelf": {
                        "description": "Upstream's\nshelf.",
                        "properties": {
                            "room": {"description": "The room, as on its door.", "title": "Room", "type": "string"},
                            "height": {"title": "Height", "type": "integer"},
                        },
                        "required": ["room", "height"],
                        "title": "Shelf",
                        "type": "object",
                    }
                },
                "properties": {
                    "title": {
                        "description": "The title, such as 'Dune',\nor a part of it.",
                        "title": "Title",
                        "type": "string",
                    },
                    "shelf": {
                        "anyOf": [{"$ref": "#/$defs/Shelf"}, {"type": "null"}],
                        "default": None,
                        "description": "Where to look.",
                    },
                    "limit": {"default": 5, "title": "Limit", "type": "integer"},
                },
                "required": ["title"],
                "title": "parameters",
                "type": "object",
            },
        },
    }


def test_tau2_shows_the_dialects_types(tmp_path: Path) -> None:
    """A type that the dialect declares replaces that of the signature."""
    shown = tau2_words.schemas(tau2_sources(tmp_path), OURS, {"find_book": {"limit": str, "shelf": dict[str, Any]}})
    assert shown["find_book"]["function"]["parameters"]["properties"]["limit"]["type"] == "string"
    assert "$defs" not in shown["find_book"]["function"]["parameters"]


@pytest.mark.parametrize(
    ("old", "new"),
    [("limit: int = 5", "most: int = 5"), (", limit: int = 5", ""), ("title: str, ", ""), ("@is_tool", "@is_hidden")],
)
def test_a_tool_with_other_arguments_is_not_this_one(tmp_path: Path, old: str, new: str) -> None:
    """If upstream's tool has other arguments, our tool keeps its own words, because upstream's would mislead."""
    assert tau2_words.schemas(tau2_sources(tmp_path, TAU2_TOOLS.replace(old, new)), OURS, {}) == {}


def test_a_tool_without_words_is_called_by_its_name(tmp_path: Path) -> None:
    """A method without a docstring is described by its name, as upstream does it."""
    bare = "class Tools:\n    @is_tool()\n    def lend(self, book_id): ..."
    shown = tau2_words.schemas(tau2_sources(tmp_path, bare, "class Shelf: ..."), OURS, {})
    assert shown["lend"]["function"]["description"] == "lend"


TAU1_TOOL = """
from tau_bench.nowhere import Tool
raise SystemExit("never run")

class Lend(Tool):
    @staticmethod
    def get_info():
        return {
            "type": "function",
            "function": {
                "name": "lend",
                "description": "Lend a " "book.",
                "parameters": {
                    "type": "object",
                    "properties": {"book_id": {"type": "string", "enum": ["b1"]}},
                    "required": ["book_id"],
                },
            },
        }
"""
LENT = {
    "type": "function",
    "function": {
        "name": "lend",
        "description": "Lend a book.",
        "parameters": {
            "type": "object",
            "properties": {"book_id": {"type": "string", "enum": ["b1"]}},
            "required": ["book_id"],
        },
    },
}


def test_tau1_shows_what_the_file_says(tmp_path: Path) -> None:
    """The schema is taken as it is written."""
    write(tmp_path / "lend.py", TAU1_TOOL)
    write(tmp_path / "__init__.py", "ALL_TOOLS = []")
    assert tau1_words.schemas(tmp_path, OURS) == {"lend": LENT}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"book_id": {', '"book": {'),
        ('"name": "lend"', '"name": "give"'),
        ('"Lend a " "book."', "TEXT"),
        ('"type": "function",', ""),
        ('"parameters"', '"arguments"'),
    ],
)
def test_tau1_passes_over_what_it_cannot_show(tmp_path: Path, old: str, new: str) -> None:
    """Other arguments, another tool, a computed text and a missing schema are passed over."""
    write(tmp_path / "lend.py", TAU1_TOOL.replace(old, new))
    assert tau1_words.schemas(tmp_path, OURS) == {}


def test_sources_that_are_no_python_are_named(tmp_path: Path) -> None:
    """A broken source is an error, and not a reason to use other words silently."""
    write(tmp_path / "lend.py", "class Lend(")
    with pytest.raises(PackError, match=r"lend\.py"):
        tau1_words.schemas(tmp_path, OURS)
    sources = tau2_sources(tmp_path, "def (")
    with pytest.raises(PackError, match=r"tools\.py"):
        tau2_words.schemas(sources, OURS, {})


THINKING = '''
class Tools:
    @is_tool(ToolType.THINK)
    def think(self, thought: str) -> str:
        """{}

        Args:
            thought: What you think.
        """
'''


def test_a_tau2_pack_is_another_where_its_words_are(tmp_path: Path) -> None:
    """Data alone has our words, a checkout its own; the version depends on them, and `tool_texts` names them."""
    tau2_checkout(tmp_path, TAU2_TASK)
    alone = tau2.load(LIBRARY, tmp_path)
    assert alone.tool_texts == "own"
    versions = {alone.version}
    for words in ("Think.", "Think hard."):
        sources = tau2_sources(tmp_path, THINKING.format(words))
        pack = tau2.load(LIBRARY, tmp_path)
        assert pack.schemas[0]["function"]["description"] == words
        assert pack.schemas[1:] == alone.schemas[1:]
        assert pack.tool_texts == "mixed"
        versions.add(pack.version)
    assert len(versions) == 3
    shared = "\n".join(
        f"    @is_tool()\n    def {name}(self, {argument}): ..."
        for name, argument in (("calculate", "expression"), ("transfer_to_human_agents", "summary"))
    )
    write(sources / "tools.py", THINKING.format("Think.") + shared)
    assert tau2.load(LIBRARY, tmp_path).tool_texts == "upstream"
    assert tau2.load(LIBRARY, tmp_path / "data").tool_texts == "own"


def test_a_tau1_pack_reads_the_tools_beside_its_data(tmp_path: Path) -> None:
    """The tools are read from one file each; without files the words are ours."""
    own = tau1_checkout(tmp_path, "TASKS_TRAIN = []")
    alone = tau1.load(LIBRARY, tmp_path)
    assert alone.tool_texts == "own"
    write(own / "tools" / "think.py", TAU1_TOOL.replace('"lend"', '"think"').replace("book_id", "thought"))
    pack = tau1.load(LIBRARY, tmp_path)
    assert pack.tool_texts == "mixed"
    assert pack.schemas[0]["function"]["description"] == "Lend a book."
    assert pack.version != alone.version


def test_other_packs_have_no_upstream() -> None:
    """Other packs do not say whose words they have."""
    assert available(LIBRARY, {})["builtin"].tool_texts is None
