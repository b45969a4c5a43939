#!/usr/bin/env python3
"""Histories of published shapes, generated: tests/bench/shapes.py NAME FILE.bincode, or no argument for the names.

Clients run transactions against a small multi-version store, each with one open at a time: reads are of the state
when it began, and it commits only if nobody else has written since what it wrote (snapshot isolation) or what
it wrote and read (serializability; one that only reads takes its place where it began). Otherwise it is tried anew.
So each history satisfies its level, session order included, and its clients overlap. Seeds are fixed. Written as
dbcop's bincode, one session after another, so that the order in the file tells nothing.

The shapes were measured on originals where those exist (BL, WH, RH, chengRW-1000, viper/1000, RUBiS at snapshot
isolation). Of the others only numbers are known. HD-10k: 61 % of the writes share key and value with another, and 121
one pair, which is what values drawn for all keys from a hundred by a Zipf law with exponent 1.5 come to. TPC-C, Twitter
and RUBiS: operations a transaction, the share of writes that follow a read, and how many reads VeriStrong's pruning left
open (455 and 1,045 of Twitter and RUBiS; here 514 and 1,249), to which the values that rows repeat were fitted. The
mixes of their transactions are those of the benchmarks they are named after, simplified.
"""
import bisect
import collections
import itertools
import random
import struct
import sys

# `pace`: how much faster the fastest session may be than the slowest.
Shape = collections.namedtuple("Shape", "level sessions transactions workload options pace is_loaded",
                               defaults=[{}, 1, False])


class Store:
    """Key -> versions, each with the time of its commit. The initial value of every key is 0."""

    def __init__(self):
        self.now = 0
        self.versions = collections.defaultdict(lambda: [(0, 0)])

    def read(self, key, time):
        return next(value for written, value in reversed(self.versions[key]) if written <= time)

    def written_since(self, key, time):
        return key in self.versions and self.versions[key][-1][0] > time

    def commit(self, writes):
        self.now += 1
        for key, value in writes.items():
            self.versions[key].append((self.now, value))


class Transaction:
    """One try: what it reads and does when it begins, and whether it may commit later. A program is
    called with a function that reads a key and one that writes it."""

    def __init__(self, program, store):
        self.program, self.store, self.began = program, store, store.now
        self.events, self.seen, self.writes = [], set(), {}
        program(self.read, self.write)

    def read(self, key):
        value = self.writes[key] if key in self.writes else self.store.read(key, self.began)
        self.seen.add(key)
        self.events.append((False, key, value))
        return value

    def write(self, key, value):
        self.writes[key] = value
        self.events.append((True, key, value))

    def may_commit(self, level):
        if not self.writes:
            return True
        keys = self.seen | self.writes.keys() if level == "ser" else self.writes
        return not any(self.store.written_since(key, self.began) for key in keys)


def simulate(shape, seed=42):
    """The sessions: lists of transactions, lists of (is write, key, value)."""
    rng = random.Random(seed)
    speeds = [rng.uniform(1, shape.pace) for _ in range(shape.sessions)]
    programs = shape.workload(rng, shares(shape.transactions, speeds), **shape.options)
    store, sessions = Store(), [[] for _ in programs]
    running = [None] * len(programs)
    busy = list(range(len(programs)))
    while busy:
        s, = rng.choices(busy, [speeds[b] for b in busy])
        if running[s] is None:
            program = next(programs[s], None)
            if program is None:
                busy.remove(s)
            else:
                running[s] = Transaction(program, store)
        elif running[s].may_commit(shape.level):
            if running[s].writes:
                store.commit(running[s].writes)
            sessions[s].append(running[s].events)
            running[s] = None
        else:
            running[s] = Transaction(running[s].program, store)
    return with_loading(sessions) if shape.is_loaded else sessions


def with_loading(sessions):
    """The same, but that a transaction in a session of its own wrote the initial values that were read."""
    all_events = itertools.chain.from_iterable(itertools.chain.from_iterable(sessions))
    first = {key: 10**9 + key for key in sorted({key for _, key, value in all_events if value == 0})}
    rest = [[[(is_write, key, value or first[key]) for is_write, key, value in events] for events in session]
            for session in sessions]
    return [[[(True, key, value) for key, value in first.items()]], *rest]


def zipf(count, exponent):
    """Draws 0 to count - 1, the first ones most often."""
    sums = list(itertools.accumulate(i**-exponent for i in range(1, count + 1)))
    return lambda rng: min(bisect.bisect(sums, rng.random() * sums[-1]), count - 1)


def shares(transactions, speeds):
    """How many transactions each session has."""
    ends = [round(transactions * end / sum(speeds)) for end in itertools.accumulate(speeds)]
    return [end - begin for begin, end in zip([0, *ends], ends)]


def blind(operations):
    """The program of reads (value None) and writes laid down beforehand."""

    def program(read, write):
        for key, value in operations:
            if value is None:
                read(key)
            else:
                write(key, value)

    return program


def mixed(rng, counts, reads=0.5, repeating=0.5, values=(100, 0.5), keys=5_000, operations=8):
    """Reads and writes in turn of skewed keys. The writes of some keys repeat values, those of others count up."""
    draw_key, draw_value = zipf(keys, 0.5), zipf(*values)
    repeats = [rng.random() < repeating for _ in range(keys)]
    last = [0] * keys

    def operation():
        key = draw_key(rng)
        if rng.random() < reads:
            return key, None
        last[key] += 1
        return key, 1 + draw_value(rng) if repeats[key] else last[key]

    plans = [[blind([operation() for _ in range(operations)]) for _ in range(count)]
             for count in counts]
    return [iter(plan) for plan in plans]


def blindw(rng, counts, keys=10_000, operations=8):
    """Half of the transactions only read and half only write, always distinct keys and values."""
    value = itertools.count(1)

    def operation(key, writes):
        return key, next(value) if writes else None

    def transaction():
        writes = rng.random() < 0.5
        return blind([operation(key, writes) for key in rng.sample(range(keys), operations)])

    plans = [[transaction() for _ in range(count)] for count in counts]
    return [iter(plan) for plan in plans]


class Application:
    """What the programs of an application share. Rows that are overwritten repeat `few` values, every time or
    the given share of times."""

    def __init__(self, rng, few, repeating):
        self.rng, self.few, self.repeating = rng, few, repeating
        self.fresh_keys, self.values = itertools.count(10_000_000), itertools.count(1_000)

    def fresh(self):
        return next(self.fresh_keys)

    def value(self):
        """Of a row that is overwritten: often one of few, as of a status or a quantity."""
        return self.rng.randint(1, self.few) if self.rng.random() < self.repeating else next(self.values)

    def update(self, read, write, key):
        read(key)
        write(key, self.value())

    def insert(self, write):
        write(self.fresh(), next(self.values))

    def programs(self, counts, mix):
        """`mix` maps programs to weights."""
        kinds, weights = list(mix), list(mix.values())
        return [iter(self.rng.choices(kinds, weights, k=count)) for count in counts]


def rubis(rng, counts, few=3, repeating=1):
    """An auction site: mostly reads of rows that nobody writes, and blind writes of few hot items."""
    app, items, users = Application(rng, few, repeating), 20_000, 20_000
    draw_item = zipf(items, 0.85)

    def item():
        return draw_item(rng)

    def user():
        return items + rng.randrange(users)

    def browse(read, write):
        for _ in range(8):
            read(item() if rng.random() < 0.4 else user())

    def buy(read, write):
        app.insert(write)
        read(user())
        write(item(), app.value())

    def sell(read, write):
        read(user())
        app.insert(write)

    def comment(read, write):
        read(user())
        app.update(read, write, user())
        app.insert(write)

    def bid(read, write):
        rows = [user(), user()]
        for key in (item(), *rows):
            read(key)
        for key in rows:
            write(key, app.value())
        app.insert(write)

    return app.programs(counts, {browse: 37, buy: 20, sell: 16, comment: 16, bid: 11})


def twitter(rng, counts, few=2, repeating=0.4):
    """Tweets under fresh keys and a row a user, which changes with each; timelines read those of users followed and
    their latest tweets."""
    app, users = Application(rng, few, repeating), 1_000
    draw_user, latest = zipf(users, 1.0), {}

    def tweet(read, write):
        user = draw_user(rng)
        latest[user] = app.fresh()
        write(latest[user], app.value())
        app.update(read, write, user)

    def follow(read, write):
        user, other = rng.randrange(users), draw_user(rng)
        read(user)
        write(users * (1 + user) + other, app.value())
        write(users * (1 + users) + other, app.value())

    def timeline(read, write):
        read(users * (1 + users) + rng.randrange(users))
        for _ in range(4):
            user = draw_user(rng)
            read(user)
            if user in latest:
                read(latest[user])

    return app.programs(counts, {tweet: 34, follow: 32, timeline: 34})


def tpcc(rng, counts, warehouses=4):
    """Orders and payments, which update rows of the same few warehouses and districts, and long reads."""
    app, stock_size, customers = Application(rng, 20, 0.5), 5_000, 3_000

    def place():
        warehouse = rng.randrange(warehouses)
        return warehouse, 1_000 + 10 * warehouse + rng.randrange(10)

    def customer():
        return 100_000 + rng.randrange(customers)

    def stock():
        return 200_000 + rng.randrange(stock_size)

    def order(read, write):
        warehouse, district = place()
        read(warehouse)
        app.update(read, write, district)
        read(customer())
        for item in rng.sample(range(stock_size), 5):
            read(300_000 + item)
            app.update(read, write, 200_000 + item)
        for _ in range(2):
            app.update(read, write, app.fresh())

    def payment(read, write):
        for key in (*place(), customer(), app.fresh()):
            app.update(read, write, key)

    def stock_level(read, write):
        read(place()[1])
        for _ in range(130):
            read(stock())

    def order_status(read, write):
        for _ in range(10):
            read(customer())

    return app.programs(counts, {order: 40, payment: 40, stock_level: 8, order_status: 12})


def counters(rng, counts):
    """Hardly more than one operation a transaction: every write an update of one of few rows."""
    app, rows = Application(rng, 20, 0.5), 50

    def look(read, write):
        read(rng.randrange(rows))

    def count(read, write):
        app.update(read, write, rng.randrange(rows))

    return app.programs(counts, {look: 90, count: 10})


def hd(level):
    return Shape(level, 25, 10_000, mixed, {"repeating": 1, "values": (100, 1.5)})


SHAPES = {
    # Imitations of histories at hand, to compare with those.
    "BL-1k": Shape("ser", 20, 1_000, mixed, {"keys": 500}),
    "WH-1k": Shape("ser", 20, 1_000, mixed, {"keys": 500, "reads": 0.3}),
    "BL-10k": Shape("ser", 25, 10_000, mixed),
    "WH-10k": Shape("ser", 25, 10_000, mixed, {"reads": 0.3}),
    "RH-10k": Shape("ser", 25, 10_000, mixed, {"reads": 0.95}),
    "chengRW-1000": Shape("ser", 24, 961, blindw, pace=1.8, is_loaded=True),
    "viper-1000": Shape("si", 24, 962, blindw, pace=1.2),
    "rubis-9k": Shape("si", 24, 9_358, rubis, {"repeating": 0}, pace=1.4),
    # Of histories that are not.
    "HD-10k": hd("ser"),
    "HD-10k-skewed": hd("si"),
    "tpcc-10k": Shape("ser", 8, 10_364, counters, pace=1.4),
    "tpcc-14k": Shape("ser", 24, 13_870, tpcc, pace=1.4),
    "twitter-10k": Shape("ser", 8, 10_444, twitter, pace=1.4),
    "rubis-10k": Shape("ser", 8, 10_289, rubis, pace=1.4),
    "chengRW-16000": Shape("ser", 24, 15_263, blindw, pace=1.8, is_loaded=True),
    "viper-10000": Shape("si", 24, 9_623, blindw, pace=1.2),
}


def write_bincode(sessions, path):
    """dbcop's first binary format: a header that readers ignore, then sessions, transactions, events."""
    event = struct.Struct("<?QQ?")
    with open(path, "wb") as out:
        out.write(struct.pack("<5Q", 0, len(sessions), 0, 0, 0))
        for text in (b"generated", *[b"2026-01-01T00:00:00.000000000+00:00"] * 2):
            out.write(struct.pack("<Q", len(text)) + text)
        out.write(struct.pack("<Q", len(sessions)))
        for session in sessions:
            out.write(struct.pack("<Q", len(session)))
            for events in session:
                out.write(struct.pack("<Q", len(events)))
                out.write(b"".join(event.pack(is_write, key, value, True) for is_write, key, value in events))
                out.write(b"\1")


def main():
    if len(sys.argv) == 3 and sys.argv[1] in SHAPES:
        write_bincode(simulate(SHAPES[sys.argv[1]]), sys.argv[2])
    else:
        sys.exit("\n".join(["usage: shapes.py NAME FILE.bincode, NAME one of", *SHAPES]))


if __name__ == "__main__":
    main()
