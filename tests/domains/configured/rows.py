"""Rows of a training set in the format of a research environment."""

from copy import deepcopy
from typing import Any

STEPS: list[dict[str, Any]] = [
    {
        "step": 1,
        "server": "yahoo_finance",
        "tool": "get_stock_price",
        "params": {"ticker": "ORCA"},
        "analysis_requirements": {
            "extract": ["price", "closes = history[][close]"],
            "compute": ["change = closes[-1] / closes[0] - 1"],
            "select": ["highest = max(closes)"],
            "accept_if": ["price > 0", "change > 0.09"],
            "next_args_from": "price",
        },
    },
    {
        "step": 2,
        "server": "slack",
        "tool": "send_slack_message",
        "params": {"channel": "direct", "text": "${step1.price}"},
        "analysis_requirements": {"extract": ["ok"], "accept_if": ["ok"]},
    },
]
ROW: dict[str, Any] = {
    "data_source": "synthetic/mcp",
    "env_class": "MCPToolEnv",
    "prompt": [
        {"role": "system", "content": "You are a research assistant with tools."},
        {"role": "user", "content": "Get the price of ORCA and send it to me."},
    ],
    "reward_spec": {
        "method": "rule",
        "ground_truth": {
            "task_id": "stock_1",
            "complexity": "simple",
            "max_turns": 5,
            "success": {"must_call_tool": "yahoo_finance.get_stock_price"},
            "tool_sequence": STEPS,
            "limits": {"max_servers": 2, "max_tools": 3},
            "analysis_rubric": {
                "steps": [],
                "final_answer_requirements": {
                    "format": "text",
                    "must_include": ["price", "ORCA"],
                    "grounded_from": ["price", "change"],
                    "quality_criteria": ["concise"],
                },
            },
            "final_reference": {"answer_text": "ORCA is at 110.5.", "facts": {"price": 110.5}},
        },
    },
    "extra_info": {},
}
JUDGED = {"weights": {"coverage": 0.5, "grounding": 0.5}, "target_length_range": [2, 20], "schema": {"type": "object"}}


def row(*, spec: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
    """A row with changes at the top level; changes of `spec` are made in its ground truth. None deletes a key."""
    made = deepcopy(ROW)
    _set(made["reward_spec"]["ground_truth"], spec or {})
    _set(made, changes)
    return made


def _set(target: dict[str, Any], given: dict[str, Any]) -> None:
    for name, value in given.items():
        target[name] = deepcopy(value)
        if value is None:
            del target[name]
