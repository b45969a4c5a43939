"""Small histories as lists of dicts, and a large one as bytes."""

from __future__ import annotations

import json
from typing import Any, Dict, List

Event = Dict[str, Any]


def txn(process: object, *ops: List[Any], kind: str = "ok") -> Event:
    return {"type": kind, "process": process, "value": list(ops)}


SOUND: List[Event] = [
    txn(0, ["append", "x", 1]),
    txn(1, ["r", "x", [1]], ["append", "x", 2]),
]
LOST_UPDATE: List[Event] = [
    *SOUND,
    txn(2, ["r", "x", [1]], ["append", "x", 3]),
    txn(0, ["r", "x", [1, 2, 3]]),
]
WRITE_SKEW: List[Event] = [
    txn(0, ["append", "x", 1], ["append", "y", 1]),
    txn(1, ["r", "x", [1]], ["append", "y", 2]),
    txn(2, ["r", "y", [1]], ["append", "x", 2]),
    txn(3, ["r", "x", [1, 2]], ["r", "y", [1, 2]]),
]


def as_lines(events: List[Event]) -> bytes:
    return b"".join(json.dumps(event).encode() + b"\n" for event in events)


def large(transactions: int) -> bytes:
    """A valid history that takes a while to check: a list that grows and is read at times."""
    lines = []
    for number in range(transactions):
        ops: List[Any] = [["append", number % 97, number], ["append", 1000 + number % 89, number]]
        lines.append(json.dumps(txn(number % 7, *ops)))
    return "\n".join(lines).encode()
