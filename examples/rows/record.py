#!/usr/bin/python3
"""Records what two clients of PostgreSQL read and insert: record.py DATABASE LEVEL > bookings.jsonl

Each looks whether a room is free from 10 to 12, finds that it is, and books it. DATABASE is what psql
connects to, LEVEL an isolation level of SQL. The lines are those of docs/recorder-format.md.
"""
import json
import subprocess
import sys
import time

FREE = ["and", ["=", "room", 5], ["in", "hour", 10, 12]]


class Client:
    """One session of psql, and the lines of its transactions."""

    def __init__(self, process, database):
        self.process = process
        self.psql = subprocess.Popen(["psql", "-XqAt", database], stdin=subprocess.PIPE, text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def query(self, sql):
        """The rows of the answer, each a list of texts; an error of the database is raised."""
        self.psql.stdin.write(sql + ";\n\\echo --\n")
        self.psql.stdin.flush()
        lines = list(iter(lambda: self.psql.stdout.readline().rstrip("\n"), "--"))
        if any(line.startswith("ERROR:") for line in lines):
            raise RuntimeError(lines[0])
        return [line.split("|") for line in lines]

    def begin(self, level):
        self.invoked = time.monotonic_ns()
        self.operations = []
        self.query("BEGIN ISOLATION LEVEL " + level)

    def look(self):
        rows = self.query("SELECT id, room, hour FROM booking WHERE room = 5 AND hour BETWEEN 10 AND 12")
        found = [[int(key), {"room": int(room), "hour": int(hour)}] for key, room, hour in rows]
        self.operations.append(["rp", FREE, {"rows": found}])

    def book(self, key, hour):
        self.operations.append(["insert", key, {"room": 5, "hour": hour}])
        self.query(f"INSERT INTO booking VALUES ({key}, 5, {hour})")

    def commit(self):
        line = {"type": "ok", "process": self.process, "value": self.operations}
        try:
            self.query("COMMIT")
        except RuntimeError as error:
            line.update(type="fail", error=str(error))
        print(json.dumps(line | {"invoked": self.invoked, "completed": time.monotonic_ns()}))


database, level = sys.argv[1:]
print(json.dumps({"format": "elapid/1", "workload": "rows", "clock": "monotonic-ns"}))
one, two = Client(1, database), Client(2, database)
one.query("DROP TABLE IF EXISTS booking")
one.query("CREATE TABLE booking (id int PRIMARY KEY, room int, hour int)")
for client in (one, two):
    client.begin(level)
for client in (one, two):
    client.look()
one.book(1, 10)
two.book(2, 11)
one.commit()
two.commit()
