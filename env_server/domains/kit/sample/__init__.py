"""Rows of training sets as tasks: the plan of calls with what each result has to give, and the rules for the answer.

`model` holds the data, `paths` the places in results that a row names, and `expressions` the values and conditions that
it computes from them.
"""

from env_server.domains.kit.sample.bounds import Work
from env_server.domains.kit.sample.expressions import assigned, check_assignment, check_condition, holds, probed
from env_server.domains.kit.sample.model import AnswerRules, PlanStep, StepAnalysis, TaskSample
from env_server.domains.kit.sample.paths import check_path, extracted, filled, name_of, placeholders
from env_server.domains.kit.sample.problem import SampleProblem

__all__ = [
    "AnswerRules",
    "PlanStep",
    "SampleProblem",
    "StepAnalysis",
    "TaskSample",
    "Work",
    "assigned",
    "check_assignment",
    "check_condition",
    "check_path",
    "extracted",
    "filled",
    "holds",
    "name_of",
    "placeholders",
    "probed",
]
