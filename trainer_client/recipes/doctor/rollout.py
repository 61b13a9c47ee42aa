"""Smoke tests against the server: an episode is played, and calls in the job's format are read."""

import json
from typing import Any

from agent_env_schemas import CLOSE_INFRASTRUCTURE, TOOL_PROMPTS
from trainer_client.recipes.grpo.dry_run.checks import episodes_begin, request
from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.settings import RUN, BadSettings
from trainer_client.skyrl.shared_client import TEXT

UNKNOWN = "no_such_tool"


def a_rollout_is_played(job: Job) -> str:
    """Begin an episode of each kind of row; play a turn of one, and close it without a score."""
    begun = episodes_begin(job)
    with job.client() as client:
        episode = client.reset(**_request(job))
        reply = episode.step("Hello.")
        if not reply.done:
            episode.close(CLOSE_INFRASTRUCTURE)
    answered = sum(len(message.content) for message in reply.observation)
    return f"a turn of {episode.reply.info.task_id} was answered with {answered} characters; began {begun}"


def calls_are_read(job: Job) -> str:
    """Write a call of an unknown tool in each format, and check that the server reads it as one."""
    written = {name: form.call for name, form in TOOL_PROMPTS.items()}
    call = json.dumps({"name": UNKNOWN, "arguments": {}})
    wrong, tools = [], 0
    with job.client() as client:
        for name, form in written.items():
            episode = client.reset(**_request(job))
            tools = len(episode.tools)
            reply = episode.step(form.replace("{}", call))
            if not reply.done:
                episode.close(CLOSE_INFRASTRUCTURE)
            if [each.error for each in reply.info.calls] != ["unknown_tool"]:
                wrong.append(f"{name}: {reply.info.parse_failure or 'read as words'}")
    if not tools:
        raise Unchecked("the first row's episode has no tools")
    if wrong:
        raise BadSettings(f"calls were not read: {'; '.join(wrong)}")
    how = job.server_settings().tools
    told = "in the system message" if how == TEXT else "in the chat template"
    return f"{tools} tools, {told}; calls as {', '.join(written)} are read"


def _request(job: Job) -> dict[str, Any]:
    """The request of the first row as the job sends it, but under a run of its own: a turn may end the episode."""
    return {**request(job, "train", job.readable()["train"][0]), "run": f"{job.get(RUN)}/doctor"}
