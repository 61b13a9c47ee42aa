"""The wire contract: what server, MCP servers and clients share. Pydantic only, frozen, no imports outward."""

from schemas.base import Wire
from schemas.episodes import (
    BatchReply,
    BatchResetRequest,
    BatchStepRequest,
    CloseRequest,
    Diff,
    EpisodeList,
    EpisodeSummary,
    ForkRequest,
    Row,
    RowDifference,
    StateReply,
    Trajectory,
    TrajectoryPart,
    TrajectoryTurn,
)
from schemas.messages import Action, Message, ToolCall
from schemas.problem import ErrorCode, Problem
from schemas.reasons import CLOSE_INFRASTRUCTURE, StopReason
from schemas.reset import (
    EpisodeReply,
    Expect,
    GoldCallSpec,
    GoldSpec,
    GroupReply,
    InlineTask,
    ResetInfo,
    ResetRequest,
    UserSpec,
)
from schemas.step import CallInfo, StepInfo, StepReply, StepRequest, UserRequest
from schemas.tasks import DomainInfo, DomainList, PackInfo, TaskDetail, TaskList, TaskSummary
from schemas.usage import UserUsage

__all__ = [
    "CLOSE_INFRASTRUCTURE",
    "Action",
    "BatchReply",
    "BatchResetRequest",
    "BatchStepRequest",
    "CallInfo",
    "CloseRequest",
    "Diff",
    "DomainInfo",
    "DomainList",
    "EpisodeList",
    "EpisodeReply",
    "EpisodeSummary",
    "ErrorCode",
    "Expect",
    "ForkRequest",
    "GoldCallSpec",
    "GoldSpec",
    "GroupReply",
    "InlineTask",
    "Message",
    "PackInfo",
    "Problem",
    "ResetInfo",
    "ResetRequest",
    "Row",
    "RowDifference",
    "StateReply",
    "StepInfo",
    "StepReply",
    "StepRequest",
    "StopReason",
    "TaskDetail",
    "TaskList",
    "TaskSummary",
    "ToolCall",
    "Trajectory",
    "TrajectoryPart",
    "TrajectoryTurn",
    "UserRequest",
    "UserSpec",
    "UserUsage",
    "Wire",
]
