"""Batches whose chat template describes the tools; they note what the engine was given and what it sampled."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from skyrl.utils.tok import get_tokenizer

from tests.skyrl import tiny
from tests.skyrl.playing import Game
from tests.skyrl.standin.chat import serving_chat
from tests.skyrl.standin.engine import Sampled, Sampler
from trainer_client import Client
from trainer_client.skyrl.row import opening

ANY_ROOM = {
    "generator.step_wise_trajectories": True,
    "generator.use_cache_salt": False,  # vLLM 0.32 refuses SkyRL's salt
    "generator.max_input_length": 8192,
    "generator.sampling_params.max_generate_length": 64,
}


def call(line: str, spaces: str = " ") -> str:
    """The call that connects to a line, as the template writes it; other spaces make it another text."""
    arguments = json.dumps({"line": line})
    return f'\n<tool_call>\n{{"name":{spaces}"connect",{spaces}"arguments":{spaces}{arguments}}}\n</tool_call>'


def caller(client: Client, folder: Path, steps: int = 60) -> Path:
    """Make a tiny model that makes some right calls in the form of its template, in the folder."""
    talk = [f"{line} please Good day. system user assistant tool desk {call(line)}" for line in tiny.NAMES]
    begun = [client.reset("desk", split="train", index=i) for i in range(len(tiny.NAMES))]
    tiny.make(folder, [*talk, " ".join([str(begun[0].tools), begun[0].messages[0]["content"]])], heads=2)
    tokenizer = get_tokenizer(str(folder), trust_remote_code=True, use_fast=True, padding_side="left")
    pairs = []
    for line, episode in zip(tiny.NAMES, begun, strict=True):
        messages = opening([], episode.messages, native=True)
        prompt = tokenizer.apply_chat_template(
            messages, tools=episode.tools, add_generation_prompt=True, return_dict=False
        )
        pairs.append((prompt, [*tokenizer.encode(call(line), add_special_tokens=False), tokenizer.eos_token_id]))
    print("last loss", tiny.teach(folder, pairs, steps), "tokens of a prompt", len(pairs[0][0]))
    return folder


@dataclass(frozen=True)
class Sampling:
    """One turn of the engine."""

    session: str
    prompt: list[int]
    ids: list[int]


@dataclass
class NativeGame(Game):
    """A batch whose template describes the tools; it notes what the engine was given and what it sampled."""

    sampled: list[Sampling] = field(default_factory=list)
    ids: Callable[[str, int], Sampled] | None = None
    """Samples ids directly, instead of `say`."""

    def play(self) -> dict[str, Any]:
        """The output that the generator gives SkyRL's trainer."""
        with serving_chat(self.sampler(), self.tokenizer) as engine:
            return self.play_with(engine)

    def sampler(self) -> Sampler:
        """The sampler of the batch, whose turns are noted."""
        usual = super().sampler()

        def sample(session: str, prompt: list[int], params: dict[str, Any]) -> Sampled:
            before = sum(each.session == session for each in self.sampled)
            said = usual(session, prompt, params) if self.ids is None else self.ids(session, before)
            self.sampled.append(Sampling(session, list(prompt), list(said[0])))
            return said

        return sample
