#!/usr/bin/env python3
"""A client of `elapid run --exec`: SQLite through Python's sqlite3. See docs/driver-protocol.md.

Usage: elapid run --exec 'python3 examples/clients/sqlite_client.py test.db' -c serializable
"""
import json
import sqlite3
import sys

path = sys.argv[1]
db = lists = None


def open_database(request):
    global db, lists
    lists = request["lists"]
    db = sqlite3.connect(path, timeout=request["patience_ms"] / 1000, isolation_level=None)
    return {"type": "ok", "facts": {"database": "SQLite", "version": sqlite3.sqlite_version}}


def set_up(request):
    db.executescript("DROP TABLE IF EXISTS t; CREATE TABLE t (k INTEGER PRIMARY KEY, v TEXT)")
    db.executemany("INSERT INTO t VALUES (?, ?)", request["initial"])
    return {"type": "ok"}


def carry_out(f, k, v):
    if f == "append":
        db.execute("INSERT INTO t VALUES (?1, ?2) ON CONFLICT (k) DO UPDATE SET v = v || ' ' || ?2", (k, str(v)))
    elif f == "w":
        db.execute("INSERT INTO t VALUES (?1, ?2) ON CONFLICT (k) DO UPDATE SET v = ?2", (k, v))
    else:
        row = db.execute("SELECT v FROM t WHERE k = ?", (k,)).fetchone()
        v = [int(n) for n in row[0].split()] if row and lists else int(row[0]) if row else None
    return [f, k, v]


def transact(request):
    try:
        db.execute("BEGIN IMMEDIATE")
        value = [carry_out(*mop) for mop in request["value"]]
        db.execute("COMMIT")  # SQLite says BUSY where nothing has happened
        return {"type": "ok", "value": value}
    except sqlite3.OperationalError as error:
        if db.in_transaction:
            db.execute("ROLLBACK")
        return {"type": "fail", "error": ["busy", str(error)]}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"open": open_database, "setup": set_up, "txn": transact}[request["do"]](request)
    print(json.dumps(answer), flush=True)
