#!/usr/bin/env python3
"""A checker of snapshot isolation that is wrong.

It reads Plume's text, a line an operation: r(KEY,VALUE,SESSION,TRANSACTION) or w(...). The unsound
shortcut: of two writes to a key, the one further down in the file is taken for the later version.
"""
import re
import sys
from collections import defaultdict

LINE = re.compile(r"([rw])\((\d+),(\d+),(\d+),(-?\d+)\)$")

reads, writes = defaultdict(dict), defaultdict(dict)  # by transaction: key -> value
for line in open(sys.argv[1]):
    kind, key, value, _, txn = LINE.match(line.strip()).groups()
    if txn == "-1":  # aborted
        continue
    if kind == "w":
        writes[txn][key] = value
    elif key not in writes[txn]:
        reads[txn][key] = value

versions = defaultdict(lambda: ["0"])  # of each key, "0" initially
writer = {}
for txn, pairs in writes.items():  # in the order of the file: last writer wins
    for key, value in pairs.items():
        versions[key].append(value)
        writer[key, value] = txn

after = defaultdict(set)  # who must come after a transaction, and whether only by an anti-dependency


def add(one, other, is_anti):
    if one is not None and other is not None and one != other:
        after[one].add((other, is_anti))


for key, values in versions.items():
    for older, newer in zip(values, values[1:]):
        add(writer.get((key, older)), writer.get((key, newer)), False)
for txn, pairs in reads.items():
    for key, value in pairs.items():
        add(writer.get((key, value)), txn, False)
        seen = versions[key].index(value) if value in versions[key] else len(versions[key])
        for newer in versions[key][seen + 1 : seen + 2]:
            add(txn, writer[key, newer], True)


def is_in_cycle(start):
    """Whether a way leads back to `start` on which no two anti-dependencies follow one another."""
    todo, done = [(start, True)], set()
    while todo:
        node, was_anti = todo.pop()
        for step in after[node]:
            if step not in done and not (was_anti and step[1]):
                if step[0] == start:
                    return True
                done.add(step)
                todo.append(step)
    return False


print("REJECT" if any(is_in_cycle(txn) for txn in list(after)) else "ACCEPT")
