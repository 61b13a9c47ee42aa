"""SQL storage of episodes. A write is committed before the server acknowledges it. Values are text; see `Store`."""

from env_server.records.errors import Claimed, Conflict, StorageDamaged, StorageUnavailable
from env_server.records.memos import ANSWER, Result
from env_server.records.read.listings import EpisodeFilter, EpisodePage, EpisodeSummary, IdleEpisode, Uptime
from env_server.records.read.reads import LastTurn
from env_server.records.read.runs import OUTCOMES, Match, RunCount, RunReads, TaskTrials
from env_server.records.read.standing import News, Standing
from env_server.records.recordings import LISTING
from env_server.records.store import Store
from env_server.records.unit_of_work import (
    AGENT,
    INTENT,
    OUTCOME,
    USER,
    BaseRow,
    Claim,
    EffectRow,
    Ending,
    EpisodeRow,
    GoldRow,
    HistoryCopy,
    KeyRow,
    MemoRow,
    PackRow,
    RecordingRow,
    RowVersion,
    SnapshotRow,
    TaskRow,
    TurnRow,
    Unit,
)

__all__ = [
    "AGENT",
    "ANSWER",
    "INTENT",
    "LISTING",
    "OUTCOME",
    "OUTCOMES",
    "USER",
    "BaseRow",
    "Claim",
    "Claimed",
    "Conflict",
    "EffectRow",
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
    "Match",
    "MemoRow",
    "News",
    "PackRow",
    "RecordingRow",
    "Result",
    "RowVersion",
    "RunCount",
    "RunReads",
    "SnapshotRow",
    "Standing",
    "StorageDamaged",
    "StorageUnavailable",
    "Store",
    "TaskRow",
    "TaskTrials",
    "TurnRow",
    "Unit",
    "Uptime",
]
