"""Claims: leases on the execution of one part of a turn.

A claim is needed where a worker cannot undo the execution after it loses the race to commit.
"""

from functools import cache

from sqlalchemy import Connection, Dialect, and_, bindparam, delete, exists, or_, select, update
from sqlalchemy.sql.dml import ReturningInsert

from env_server.records import tables
from env_server.records.errors import Claimed, Conflict
from env_server.records.statements import conflict_insert
from env_server.records.unit_of_work import Claim

_claims = tables.claims
_position = and_(
    _claims.c.episode == bindparam("c_episode"),
    _claims.c.turn == bindparam("c_turn"),
    _claims.c.part == bindparam("c_part"),
)
_held = and_(_position, _claims.c.owner == bindparam("c_owner"), _claims.c.fence == bindparam("c_fence"))

SETTLE = delete(_claims).where(_held)
CHECK = update(_claims).where(_held).values(owner=_claims.c.owner)
RELEASE = update(_claims).where(_held).values(expires=0.0)
_HOLDER = select(_claims.c.expires, _claims.c.owner).where(_position)
_TOO_LATE = select(
    or_(
        exists().where(
            tables.turns.c.episode == bindparam("c_episode"),
            tables.turns.c.turn == bindparam("c_turn"),
            tables.turns.c.part == bindparam("c_part"),
            tables.turns.c.seq == bindparam("c_seq"),
        ),
        exists().where(tables.endings.c.episode == bindparam("c_episode")),
    )
)


def take(
    connection: Connection, claim: Claim, *, seq: int, lease_s: float, now: float, over: str = ""
) -> int | Claimed | Conflict:
    """Claim the position of `claim` for its owner. Return the fence, or the reason for the refusal.

    An expired lease is taken over with the next fence. So is a lease of the same owner or of `over`. The reason is
    returned, not raised, so that one refused claim does not roll back the other work in the transaction. A refused
    claim changes nothing.
    """
    position = {"c_episode": claim.episode, "c_turn": claim.turn, "c_part": claim.part}
    row = {**claim._asdict(), "fence": 1, "expires": now + lease_s}
    savepoint = connection.begin_nested()
    fence = connection.execute(take_statement(connection.dialect), {**row, "now": now, "over": over}).scalar()
    if fence is None:
        savepoint.commit()
        until, owner = connection.execute(_HOLDER, position).one()
        return Claimed(float(until), owner)
    # This look-up runs after the upsert, because the upsert waits for a commit that is ending an older claim.
    if connection.execute(_TOO_LATE, {**position, "c_seq": seq}).scalar():
        savepoint.rollback()
        return Conflict("the turn is committed or the episode is over")
    savepoint.commit()
    return fence


def settle(connection: Connection, claim: Claim) -> None:
    """Delete a claim in the transaction that commits its turn. Raise Conflict if the owner no longer holds it."""
    if connection.execute(SETTLE, _bound(claim)).rowcount != 1:
        raise Conflict("the claim was taken over")


def check(connection: Connection, claim: Claim) -> None:
    """Raise Conflict if the owner no longer holds the claim. Nobody takes it over before this transaction has ended."""
    if connection.execute(CHECK, _bound(claim)).rowcount != 1:
        raise Conflict("the claim was taken over")


def release(connection: Connection, claim: Claim) -> None:
    """Expire the claim now, so that another owner can take it. The row stays, so that its fence only grows."""
    connection.execute(RELEASE, _bound(claim))


@cache
def take_statement(dialect: Dialect) -> ReturningInsert[int]:
    """Return the upsert behind `take`.

    It inserts a claim. It takes over a claim that has expired or that belongs to the same owner or to `over`. Otherwise
    it returns no row.
    """
    statement = conflict_insert(dialect, _claims)
    return statement.on_conflict_do_update(
        index_elements=[_claims.c.episode, _claims.c.turn, _claims.c.part],
        set_={
            "owner": statement.excluded.owner,
            "fence": _claims.c.fence + 1,
            "expires": statement.excluded.expires,
        },
        where=or_(
            _claims.c.expires <= bindparam("now"),
            _claims.c.owner == statement.excluded.owner,
            _claims.c.owner == bindparam("over"),
        ),
    ).returning(_claims.c.fence)


def _bound(claim: Claim) -> dict[str, object]:
    return {f"c_{name}": value for name, value in claim._asdict().items()}
