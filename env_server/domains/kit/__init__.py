"""The library for domain authors: everything that a domain imports, `@tool`, `Domain`, `Task` and their parts.

`domain`, `tools`, `task` and `dialect` declare a domain. `generate` makes tasks from templates. `rows`, `checks`,
`words`, `people` and `scenario` hold what several domains share. A domain imports names from here alone.
"""

import warnings
from typing import Any

from env_server.domains.kit.checks import new_id, refuse
from env_server.domains.kit.dialect import TAU1_RULES, TAU2_RULES, Dialect
from env_server.domains.kit.domain import Domain, Hands, TaskSource, Use
from env_server.domains.kit.generate import prose
from env_server.domains.kit.generate.indexed import IndexedTasks
from env_server.domains.kit.generate.known import Details, Known, change, shape, wish
from env_server.domains.kit.generate.tasks import GeneratedTasks
from env_server.domains.kit.generate.template import NOTHING, Template, WishKind, nothing
from env_server.domains.kit.generate.wish import (
    Caller,
    Case,
    Patch,
    Refusal,
    Row,
    Tell,
    Wish,
    World,
    asked,
    read,
    told,
    write,
)
from env_server.domains.kit.people import born, fresh, street
from env_server.domains.kit.rows import CreditCard, Paypal, PersonName, PostalAddress
from env_server.domains.kit.sample import (
    AnswerRules,
    PlanStep,
    SampleProblem,
    StepAnalysis,
    TaskSample,
    check_assignment,
    check_condition,
    check_path,
    name_of,
    placeholders,
    probed,
)
from env_server.domains.kit.scenario import Spot, about, about_caller, handover, texts, twins
from env_server.domains.kit.submit_answer import ANSWERS, SubmittedAnswer, right_answer
from env_server.domains.kit.submit_answer import NAME as SUBMIT
from env_server.domains.kit.task import (
    Answer,
    Component,
    Due,
    EnvAssertion,
    Form,
    Gold,
    GoldCall,
    NoSuchTask,
    OwnCheck,
    Request,
    Rubric,
    Shape,
    ShownFact,
    Task,
    UserScript,
    Value,
    Want,
    WantedChange,
    Weights,
)
from env_server.domains.kit.tools import READ, WRITE, Tool, ToolError, ToolKind, tool, tools_of
from env_server.domains.kit.topics import ASKS_ITEMS, ASKS_ORDER
from env_server.domains.kit.words import capital, counted, full_name, listed, money, number_word, spoken, turned
from env_server.providers.sealed import SERVER_CALLS
from env_server.reading.words.values import Words
from env_server.state import Db, Index, Snapshot, State, Table, thaw

_RENAMED = {"Kind": "ToolKind", "Move": "WishKind", "Part": "Wish"}
"""Names of earlier versions -> the names of today."""


def __getattr__(name: str) -> Any:
    """Return what an earlier version called `name`, with a warning."""
    if name not in _RENAMED:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warnings.warn(f"{__name__}.{name} is now {_RENAMED[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_RENAMED[name]]


__all__ = [
    "ANSWERS",
    "ASKS_ITEMS",
    "ASKS_ORDER",
    "NOTHING",
    "READ",
    "SERVER_CALLS",
    "SUBMIT",
    "TAU1_RULES",
    "TAU2_RULES",
    "WRITE",
    "Answer",
    "AnswerRules",
    "Caller",
    "Case",
    "Component",
    "CreditCard",
    "Db",
    "Details",
    "Dialect",
    "Domain",
    "Due",
    "EnvAssertion",
    "Form",
    "GeneratedTasks",
    "Gold",
    "GoldCall",
    "Hands",
    "Index",
    "IndexedTasks",
    "Known",
    "NoSuchTask",
    "OwnCheck",
    "Patch",
    "Paypal",
    "PersonName",
    "PlanStep",
    "PostalAddress",
    "Refusal",
    "Request",
    "Row",
    "Rubric",
    "SampleProblem",
    "Shape",
    "ShownFact",
    "Snapshot",
    "Spot",
    "State",
    "StepAnalysis",
    "SubmittedAnswer",
    "Table",
    "Task",
    "TaskSample",
    "TaskSource",
    "Tell",
    "Template",
    "Tool",
    "ToolError",
    "ToolKind",
    "Use",
    "UserScript",
    "Value",
    "Want",
    "WantedChange",
    "Weights",
    "Wish",
    "WishKind",
    "Words",
    "World",
    "about",
    "about_caller",
    "asked",
    "born",
    "capital",
    "change",
    "check_assignment",
    "check_condition",
    "check_path",
    "counted",
    "fresh",
    "full_name",
    "handover",
    "listed",
    "money",
    "name_of",
    "new_id",
    "nothing",
    "number_word",
    "placeholders",
    "probed",
    "prose",
    "read",
    "refuse",
    "right_answer",
    "shape",
    "spoken",
    "street",
    "texts",
    "thaw",
    "told",
    "tool",
    "tools_of",
    "turned",
    "twins",
    "wish",
    "write",
]
