"""Patterns of an agent's questions about things that several domains have, for `Domain.topics`."""

ASKS_ORDER = (
    r"order.{0,3}(id|number|no\.|#)|\bnumber of (?:the|your) order\b|(which|what|find|locate|identify) .{0,12}order"
    r"|order (is|was) (it|this|that)|\b(the|your) order(?= (and|or|you)\b|[?,.]|$)"
)
ASKS_ITEMS = r"items?\b|items?\(s\)|products?\b|article|\bdish(?:es)?\b"
