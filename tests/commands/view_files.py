"""Small result files of other programs, written by hand in their formats."""

from typing import Any

HOSTILE = "</style></details><script>alert(1)</script><img src=https://evil.example/x onerror=alert(1)>\ud800"


def tau2(words: str = "I have cancelled it.") -> dict[str, Any]:
    """Two simulations of tau2-bench: a solved one in which the user has tools, and a failed one."""
    return {
        "timestamp": "2026-01-02T03:04:05",
        "info": {
            "git_commit": "abc",
            "agent_info": {"implementation": "llm_agent", "llm": f"model-x {words}"},
            "user_info": {"implementation": "user_simulator", "llm": "model-y"},
            "environment_info": {"domain_name": "phones"},
        },
        "tasks": [],
        "simulations": [
            {
                "id": "sim-1",
                "task_id": "t1",
                "trial": 0,
                "termination_reason": "user_stop",
                "agent_cost": 0.25,
                "user_cost": 0.5,
                "reward_info": {"reward": 1.0, "reward_breakdown": {"ENV_ASSERTION": 1.0}},
                "messages": [
                    {"role": "assistant", "content": "Hi! How can I help?"},
                    {"role": "user", "content": "My phone has no signal."},
                    {
                        "role": "assistant",
                        "content": "Please restart it.",
                        "usage": {"prompt_tokens": 100, "completion_tokens": 7},
                    },
                    {
                        "role": "user",
                        "content": None,
                        "tool_calls": [{"id": "u1", "name": "reboot", "arguments": {}, "requestor": "user"}],
                    },
                    {"role": "tool", "id": "u1", "content": "restarted", "requestor": "user", "error": False},
                    {"role": "user", "content": "It works now. ###STOP###"},
                ],
            },
            {
                "id": "sim-2",
                "task_id": "t2",
                "trial": 0,
                "termination_reason": "user_stop",
                "reward_info": {
                    "reward": 0.0,
                    "db_check": {"db_match": False, "db_reward": 0.0},
                    "action_checks": [
                        {"action": {"name": "refund", "arguments": {"order": "W1"}}, "action_match": False},
                        {"action": {"name": "look_up", "arguments": {"order": "W1"}}, "action_match": True},
                    ],
                    "communicate_checks": [{"info": "12.50", "met": False, "justification": words}],
                    "reward_breakdown": {"DB": 0.0, "COMMUNICATE": 0.0},
                },
                "messages": [
                    {"role": "user", "content": words},
                    {
                        "role": "assistant",
                        "content": None,
                        "tool_calls": [
                            {"id": "a2", "name": words[:60], "arguments": {words: words}},
                            {"id": "a1", "name": "look_up", "arguments": {"order": "W1"}},
                        ],
                    },
                    {
                        "role": "tool",
                        "tool_messages": [
                            {"role": "tool", "id": "a1", "content": '{"status": "open"}'},
                            {"role": "tool", "id": "a2", "content": words, "error": True},
                        ],
                    },
                    {"role": "assistant", "content": words},
                ],
            },
        ],
    }


def tau_bench(words: str = "Your order is cancelled.") -> list[dict[str, Any]]:
    """Three conversations of tau-bench: native calls, calls as text, and one that ended by an error."""
    cancel = {"name": "cancel", "kwargs": {"order": "W1"}}
    native = [
        {"role": "system", "content": "the policy"},
        {"role": "user", "content": "Cancel W1."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look_up", "arguments": '{"order": "W1"}'}}
            ],
        },
        {"role": "tool", "tool_call_id": "c1", "name": "look_up", "content": "Error: no such order"},
        {"role": "assistant", "content": words},
        {"role": "user", "content": "###STOP###"},
    ]
    text = [
        {"role": "system", "content": "the policy"},
        {"role": "user", "content": "Cancel W1."},
        {
            "role": "assistant",
            "content": 'Thought:\nI cancel it.\nAction:\n{"name": "cancel", "arguments": {"order": "W1"}}',
        },
        {"role": "user", "content": "API output: cancelled"},
        {"role": "assistant", "content": 'Action:\n{"name": "respond", "arguments": {"content": "It is done."}}'},
        {"role": "user", "content": "###STOP###"},
    ]
    scores = {"r_actions": 0.0, "r_outputs": 0.0, "outputs": {"10": False}}
    return [
        {
            "task_id": 0,
            "trial": 0,
            "reward": 0.0,
            "info": {"reward_info": {"reward": 0.0, "info": scores, "actions": [cancel]}, "user_cost": 0.01},
            "traj": native,
        },
        {
            "task_id": 0,
            "trial": 1,
            "reward": 1.0,
            "info": {"reward_info": {"reward": 1.0, "info": {"r_actions": 1.0}, "actions": [cancel]}},
            "traj": text,
        },
        {"task_id": 1, "trial": 0, "reward": 0.0, "info": {"error": words, "traceback": "…"}, "traj": []},
    ]
