"""Measures `elapid watch` on streams of transactions: what tests/bench/timestamps says of it."""
import collections
import multiprocessing
import os
import random
import re
import signal
import subprocess
import tempfile
import time

DELAY = 10_000  # places
KILLS = 5

# `again`: how many transactions before the place of a kill are sent again; None: all.
Stream = collections.namedtuple("Stream", "name arguments order kills again target", defaults=[0, None, ""])

# Commits are 10 apart, and a transaction is open while 50 others commit.
LATE = ["--watermark", str(10 * (DELAY + 100))]
STREAMS = [
    Stream("in order", ["--watermark", "1000"], "commit", target="300,000/s"),
    Stream("in order --sorted", ["--sorted"], "start"),
    Stream("delayed", LATE, "delayed", target="150,000/s"),
    Stream("delayed --memory 32M", [*LATE, "--memory", "32M"], "delayed"),
    Stream("delayed --state", LATE, "delayed", 0, 0),
    Stream("delayed --state killed", LATE, "delayed", KILLS, 2 * DELAY, target="100,000/s"),
    Stream("delayed --state killed, all again", LATE, "delayed", KILLS),
]


def write_lines(source, target, order):
    """A line a transaction of a JSON array that is sorted by commit; delayed ones up to DELAY places later."""
    with open(source, "rb") as array:
        lines = [line.rstrip(b",\n") + b"\n" for line in array if len(line) > 3]
    if order == "delayed":
        numbers = random.Random(1)
        places = [i + numbers.randrange(DELAY) for i in range(len(lines))]
        lines = [lines[i] for i in sorted(range(len(lines)), key=places.__getitem__)]
    if order == "start":
        lines.sort(key=lambda line: int(re.search(rb'"sts":\{"p":(\d+)', line).group(1)))
    with open(target, "wb") as stream:
        stream.writelines(lines)


def feed(command, chunks, kills):
    """Sends chunks and kills the program, or not: seconds, peak of its memory in MB, its last words, CPU seconds."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=output)
        for chunk in chunks:
            os.write(process.stdin.fileno(), chunk)
        if kills:
            process.send_signal(signal.SIGKILL)
        process.stdin.close()
        _, _, used = os.wait4(process.pid, 0)
        process.returncode = 0
        seconds = time.perf_counter() - start
        # Not all of it: what this process needs is counted as memory of the programs that it starts.
        output.seek(max(0, output.seek(0, os.SEEK_END) - 10_000))
        return seconds, used.ru_maxrss / 1024, output.read().decode(errors="replace"), used.ru_utime + used.ru_stime


def measure_with_state(program, stream, path, folder, count):
    """Seconds of all runs until the stream has ended, and the peak of their memory in MB."""
    state = tempfile.mkdtemp(dir=folder)
    command = [program, "watch", "--initial", "0", *stream.arguments, "--state", state]
    seconds, peak = 0, 0
    size = os.path.getsize(path)
    with open(path, "rb") as text:
        places = [size * kill // (stream.kills + 1) for kill in range(1, stream.kills + 1)] + [size]
        begin = 0
        for run, place in enumerate(places):
            text.seek(begin)
            chunks = (text.read(min(1 << 20, place - i)) for i in range(begin, place, 1 << 20))
            used = feed(command, chunks, run < stream.kills)
            seconds, peak = seconds + used[0], max(peak, used[1])
            begin = max(0, place - (size if stream.again is None else stream.again * size // count))
            if begin > 0:
                text.seek(begin)
                begin += len(text.readline())
    return seconds, peak, used[2]


def violations(output):
    summary = output.rstrip().rsplit("\n", 1)[-1]
    return re.search(r'"violations":(\{.*?\})', summary).group(1) + \
        (" late" if not '"late":0,' in summary else "")


def measure(program, generate, folder, transactions, runs, only):
    """Rows of a table: transactions a second, and memory."""
    array, path = folder / "history.json", folder / "stream.jsonl"
    made = None
    for stream in STREAMS:
        if only not in stream.name:
            continue
        if made is None:
            generate(transactions, array)
        if made != stream.order:
            made = stream.order
            # In a process of its own, for the same reason.
            writer = multiprocessing.get_context("spawn").Process(target=write_lines, args=(array, path, stream.order))
            writer.start()
            writer.join()
        if "--state" in stream.name:
            seconds, peak, output = measure_with_state(program, stream, path, folder, transactions)
            cpu = ""
        else:
            command = [program, "watch", "--to-end", "--initial", "0", *stream.arguments, path]
            used = sorted((feed(command, (), False) for _ in range(runs)), key=lambda one: one[-1])[runs // 2]
            seconds, peak, output, cpu = *used[:3], f"{used[3]:.2f}"
        yield [stream.name, violations(output), cpu, f"{seconds:.2f}", f"{transactions / seconds:,.0f}", f"{peak:.0f}",
               stream.target]


def resident(pid):
    """MB in memory."""
    with open(f"/proc/{pid}/status") as status:
        found = re.search(r"VmRSS:\s*(\d+) kB", status.read())
    return int(found.group(1)) / 1024 if found else None


def measure_memory(program, generator_command, arguments):
    """Of a stream that is made while it is checked, sampled each second: seconds, samples in MB, and what it says."""
    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        made = subprocess.Popen(generator_command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        lines = subprocess.Popen(["sed", "-e", r"/^[][]$/d; s/,$//; /^$/d"], stdin=made.stdout, stdout=subprocess.PIPE)
        watch = subprocess.Popen([program, "watch", "--initial", "0", "--progress", "0", *arguments],
                                 stdin=lines.stdout, stdout=output)
        made.stdout.close()
        lines.stdout.close()
        samples = []
        while watch.poll() is None:
            samples.append(resident(watch.pid))
            time.sleep(1)
        made.wait()
        lines.wait()
        output.seek(0)
        return time.perf_counter() - start, [sample for sample in samples if sample], output.read().decode()
