"""Records: what is committed before it is acknowledged. SQL only, text in and text out; see `Store`."""

from .errors import Claimed, Conflict, StorageUnavailable
from .listings import EpisodeFilter, EpisodePage, EpisodeSummary, IdleEpisode, Uptime
from .memos import Result
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
    PackRow,
    RowVersion,
    SnapshotRow,
    TaskRow,
    TurnRow,
    Unit,
)

__all__ = [
    "AGENT",
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
