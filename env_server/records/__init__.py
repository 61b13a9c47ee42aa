"""SQL storage of episodes. A write is committed before the server acknowledges it. Values are text; see `Store`."""

from .errors import Claimed, Conflict, StorageUnavailable
from .listings import EpisodeFilter, EpisodePage, EpisodeSummary, IdleEpisode, Uptime
from .memos import ANSWER, Result
from .reads import LastTurn
from .store import Store
from .units import (
    AGENT,
    USER,
    BaseRow,
    Claim,
    Ending,
    EpisodeRow,
    GoldRow,
    HistoryCopy,
    KeyRow,
    MemoRow,
    PackRow,
    RowVersion,
    SnapshotRow,
    TaskRow,
    TurnRow,
    Unit,
)

__all__ = [
    "AGENT",
    "ANSWER",
    "USER",
    "BaseRow",
    "Claim",
    "Claimed",
    "Conflict",
    "Ending",
    "EpisodeFilter",
    "EpisodePage",
    "EpisodeRow",
    "EpisodeSummary",
    "GoldRow",
    "HistoryCopy",
    "IdleEpisode",
    "KeyRow",
    "LastTurn",
    "MemoRow",
    "PackRow",
    "Result",
    "RowVersion",
    "SnapshotRow",
    "StorageUnavailable",
    "Store",
    "TaskRow",
    "TurnRow",
    "Unit",
    "Uptime",
]
