"""The report of a run as one file: its contents, no reference to other files, and harmless texts."""

import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from typing import Any

from env_server.evals.report.summary import summary
from env_server.page.report import report_html
from env_server.page.views.run import RunEpisode, failure_groups, run_episode
from env_server.page.views.verdict import verdict_of
from tests.evals.outcomes import outcome

HOSTILE = "</style></details><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>"


class Seen(HTMLParser):
    """The elements of a file, with attributes, as an HTML parser finds them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the element."""
        self.found.append((tag, dict(attrs)))


def episode(
    id: str, *, reward: float | None, template: str = "cancel", words: str = "Done.", name: str = "x", turns: int = 1
) -> RunEpisode:
    """An ended episode in which `state` has the value of the reward. `words` and `name` come from a model."""
    info: dict[str, Any] = {"calls": [{"name": name, "error": name}], "row_diff": []}
    info["reward_breakdown"] = {"state": {"value": reward}}
    if reward is not None and reward < 1:
        row = {"table": name, "key": words, "expected": {"status": words}, "actual": {"status": "open"}}
        info["row_diff"] = [row]
    action = {"content": words, "tool_calls": [{"name": name, "arguments": {words: words}}]}
    part = {"part": "agent", "action": action, "info": info, "at": 0.0}
    part["observation"] = [{"role": "tool", "content": words}]
    about = {"episode_id": id, "done": True, "scored": True, "reward": reward, "stop_reason": "user_stop"}
    opening = [{"role": "user", "content": words}]
    record = {
        "episode": about,
        "observation": opening,
        "tools": [],
        "turns": [{"turn": n, "parts": [part]} for n in range(1, turns + 1)],
    }
    return run_episode(name, 0, template, record, 100)


def file_of(*episodes: RunEpisode, run: str = "run-1") -> str:
    """The file of a run of these episodes."""
    return report_html(run, {"domain": run}, summary([outcome()]), failure_groups(episodes), episodes)


def test_failures_are_grouped_by_lost_components_and_template() -> None:
    """Failures with the same lost components are one group, by template. An early end is another, a success is none."""
    about = {"scored": True, "reward": 0.0, "stop_reason": "max_turns"}
    whole = {"state": {"value": 1.0}}
    groups = failure_groups(
        [
            episode("ep_1", reward=0.0, template="b"),
            episode("ep_2", reward=0.0),
            episode("ep_3", reward=1.0),
            episode("ep_4", reward=0.0),
            replace(
                episode("ep_5", reward=0.0), verdict=verdict_of(about, {"would_be": 1.0, "reward_breakdown": whole})
            ),
        ]
    )
    found = [
        (
            group.early,
            [part.name for part in group.components],
            [(template, [each.id for each in members]) for template, members in group.templates],
        )
        for group in groups
    ]
    assert found == [
        ("", ["state"], [("cancel", ["ep_2", "ep_4"]), ("b", ["ep_1"])]),
        ("the limit of turns was reached", [], [("cancel", ["ep_5"])]),
    ]
    assert [group.episodes for group in groups] == [3, 1]
    assert groups[0].why.startswith("Reward 0, because of state")
    assert groups[1].why == "Reward 0, because the limit of turns was reached. It would have been 1 at this point."


def test_each_failure_leads_to_its_transcript() -> None:
    """Every link leads to an element of the file, and the failed episode is one of them."""
    elements = Seen(file_of(episode("ep_1", reward=0.0), episode("ep_2", reward=1.0))).found
    ids = {attributes["id"] for _, attributes in elements if "id" in attributes}
    links = [attributes["href"] or "" for _, attributes in elements if "href" in attributes]
    assert "#episode-ep_1" in links
    assert {link.removeprefix("#") for link in links} <= ids
    assert all(link.startswith("#") for link in links)


def test_hostile_texts_stay_text() -> None:
    """Scripts, pictures and closing tags in any text of a transcript add no element and no attribute."""
    harmless = Seen(file_of(episode("ep_1", reward=0.0))).found
    text = file_of(episode("ep_1", reward=0.0, words=HOSTILE, name=HOSTILE, template=HOSTILE), run=HOSTILE)
    hostile = Seen(text).found
    assert [(tag, sorted(attributes)) for tag, attributes in hostile] == [
        (tag, sorted(attributes)) for tag, attributes in harmless
    ]
    assert not {"script", "img", "link", "iframe", "form"} & {tag for tag, _ in hostile}
    assert text.count("&lt;script&gt;alert(1)") > 5


def test_the_policy_allows_the_style_of_the_file_and_nothing_else() -> None:
    """The content security policy has the digest of the style element, and allows nothing else."""
    text = file_of(episode("ep_1", reward=1.0))
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = b64encode(sha256(style[1].encode()).digest()).decode()
    policies = [found["content"] or "" for tag, found in Seen(text).found if tag == "meta" and "http-equiv" in found]
    assert policies == [f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"]


def test_a_long_reason_of_a_judge_is_cut() -> None:
    """A reason of 100,000 characters is cut, and says so."""
    found = {"rubric": {"value": 0.0, "marks": {"polite": {"mark": 0, "reason": "w" * 100_000}}}}
    about = {"scored": True, "reward": 0.0, "stop_reason": "user_stop"}
    verdict = verdict_of(about, {"reward_breakdown": found})
    text = verdict.components[0].reasons[0][1]
    assert text.endswith("w…")
    assert len(text) < 2_000


def test_a_hundred_long_transcripts_stay_under_five_megabytes() -> None:
    """Texts of 4,000 characters in 36 turns are cut, so that 100 episodes make a file that can be mailed."""
    episodes = [episode(f"ep_{number}", reward=0.0, words="<&" * 2_000, turns=36) for number in range(100)]
    text = report_html("r", {}, summary([outcome()]), failure_groups(episodes), episodes)
    assert len(text.encode()) < 5_000_000
