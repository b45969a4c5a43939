"""What the benchmarks of the whole program share: running a command and what it cost."""
import collections
import os
import re
import subprocess
import sys
import tempfile
import time

Usage = collections.namedtuple("Usage", "cpu wall peak output notes")  # seconds, seconds, MB
Parts = collections.namedtuple("Parts", "reading checking peak verdict")  # CPU seconds, MB


def usage(command):
    """Runs a command to its end; 1 and 2 are verdicts, not failures."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as notes:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=output, stderr=notes)
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1, 2):
            notes.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{notes.read().decode()}")
        output.seek(0)
        notes.seek(0)
        return Usage(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024, output.read().decode(), notes.read().decode())


def median_usage(command, runs):
    return sorted((usage(command) for _ in range(runs)), key=lambda one: one.cpu)[runs // 2]


def parts_of_check(program, arguments):
    """A check of one history by one thread. CPU time is shared out as the program's own clock (-v) shares its time."""
    spent = usage([program, "check", "-v", "-j1", *arguments])
    reading, checking = map(float, re.search(r"read in ([\d.]+) s, checked in ([\d.]+) s", spent.notes).groups())
    share = checking / (reading + checking)
    return Parts(spent.cpu * (1 - share), spent.cpu * share, spent.peak, spent.output.split("\n", 1)[0].rsplit("\t", 1)[-1])


def print_table(rows):
    widths = [max(map(len, column)) for column in zip(*rows)]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        print("  ".join(cells))
