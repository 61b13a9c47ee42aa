"""Smoke tests against the server: an episode is played, and calls in the job's format are read."""

import json

from agent_env_schemas import CLOSE_INFRASTRUCTURE, TOOL_PROMPTS
from trainer_client.recipes.grpo.dry_run.checks import episodes_begin
from trainer_client.recipes.grpo.dry_run.findings import Unchecked
from trainer_client.recipes.grpo.dry_run.job import Job
from trainer_client.recipes.grpo.settings import BadSettings
from trainer_client.skyrl.row import reset_options
from trainer_client.skyrl.shared_client import TEXT

UNKNOWN = "no_such_tool"
RUN = "doctor"


def a_rollout_is_played(job: Job) -> str:
    """Begin an episode of each kind of row; play a turn of one, and close it without a score."""
    begun = episodes_begin(job)
    row = job.readable()["train"][0]
    with job.client() as client:
        episode = client.reset(**reset_options(row, job.get("generator.max_turns")), run=RUN, purpose="eval")
        reply = episode.step("Hello.")
        if not reply.done:
            episode.close(CLOSE_INFRASTRUCTURE)
    answered = sum(len(message.content) for message in reply.observation)
    return f"a turn of {episode.reply.info.task_id} was answered with {answered} characters; began {begun}"


def calls_are_read(job: Job) -> str:
    """Write a call of an unknown tool in each format, and check that the server reads it as one."""
    row = job.readable()["train"][0]
    written = {name: form.call for name, form in TOOL_PROMPTS.items()}
    call = json.dumps({"name": UNKNOWN, "arguments": {}})
    wrong, tools = [], 0
    with job.client() as client:
        for name, form in written.items():
            episode = client.reset(**reset_options(row, job.get("generator.max_turns")), run=RUN, purpose="eval")
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
