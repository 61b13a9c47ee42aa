import pytest

from mcp_servers.tavily.serving.words import passages, plain, prose, sentences, terms, words


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("companies", "company"),
        ("announced", "announces"),
        ("employees", "employs"),
        ("1,200", "1200"),
        ("Docks", "dock"),
    ],
)
def test_the_forms_of_a_word_count_as_one(left: str, right: str) -> None:
    """Plurals, verbs' forms and separators of thousands make no difference to the search."""
    assert words(left) == words(right)


def test_a_query_is_its_words_that_say_something() -> None:
    """Words such as `the` are dropped, unless there are no others."""
    assert terms("Who is the chief of Orca, the chief?") == ["chief", "orca"]
    assert terms("who is it") == ["who", "is", "it"]


def test_markup_is_no_part_of_a_sentence() -> None:
    """Headings, bullets, emphasis and addresses of links are taken off; decimals and abbreviations stay whole."""
    text = "# Orca\n\n- It is **big**. It earned $1.32 per share.\n1. See [the team](https://orca.example/team)!"
    assert plain("# Orca") == "Orca"
    assert sentences(text) == ["Orca", "It is big.", "It earned $1.32 per share.", "See the team!"]


def test_menus_say_nothing() -> None:
    """Lines that are only a link are no sentences, and neither they nor addresses are words of a page."""
    text = "Orca builds.\n\n## Links\n\n- [Tern sinks](https://tern.example/)\n- See [Orca](https://orca.example/x) too"
    assert sentences(text) == ["Orca builds.", "Links", "See Orca too"]
    assert "tern" not in words(prose(text))
    assert "example" not in words(prose(text))


def test_passages_are_those_that_hold_the_words() -> None:
    """The best passages come in the text's order; without any of the words the beginning stands for the text."""
    filler = "Nothing of interest happens in this sentence of ours. " * 12
    text = f"It opens. {filler}\n\nThe dock is long. {filler}\n\nThe yard has a dock."
    found = passages(text, {"dock": 1.0, "yard": 2.0}, 2)
    assert len(found) == 2
    assert "The dock is long." in found[0]
    assert "The yard has a dock." in found[1]
    assert passages(text, {"tern": 1.0}, 2)[0].startswith("It opens.")
    assert passages("", {"tern": 1.0}, 2) == []
