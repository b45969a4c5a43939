// Histories of one shape taken far: they are answered, at every level, in memory and time that do
// not explode.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "tests/unit/engine/solve/certified_solve.h"

namespace elapid {
namespace {

// A tenth where instructions cost ten times as much.
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr std::uint32_t kScale = 10;
#else
constexpr std::uint32_t kScale = 1;
#endif

/// A transaction that reads a key and writes it, and reads another.
struct Txn {
  std::int64_t session = 0;
  std::int64_t at = 0;  // begins then, and ends shortly after
  std::vector<MopInput> mops = {};
};

enum class Sessions { kOne, kOneEach };

/// Carried out one after another, on 1000 keys of distinct values.
std::vector<Txn> serial_txns(std::uint32_t count, Sessions sessions) {
  std::mt19937 random(count);
  const auto any_key = [&] { return KeyId{static_cast<std::uint32_t>(random() % 1000)}; };
  std::vector<std::int64_t> store(1000, 0);
  std::vector<Txn> txns;
  for (std::uint32_t i = 0; i < count; ++i) {
    const KeyId own = any_key();
    const KeyId other = any_key();
    Txn& txn = txns.emplace_back(Txn{sessions == Sessions::kOne ? 0 : i, i});
    txn.mops = {{OpKind::kRead, other, ValueId::integer(store[other.index()])},
                {OpKind::kRead, own, ValueId::integer(store[own.index()])},
                {OpKind::kWrite, own, ValueId::integer(i + 1)}};
    store[own.index()] = i + 1;
  }
  return txns;
}

/// `longest`: transactions overlap with so many neighbours.
History build(const std::vector<Txn>& txns, std::int64_t longest) {
  HistoryBuilder builder;
  for (std::int64_t key = 0; key < 1000; ++key) {
    builder.key(ValueId::integer(key));
  }
  for (const Txn& txn : txns) {
    const Status status = builder.add_transaction({.session = txn.session,
                                                   .invocation_time = 2 * txn.at - longest,
                                                   .completion_time = 2 * txn.at + 1 + longest,
                                                   .mops = txn.mops});
    if (!status) {
      FAIL(status.error().message);
    }
  }
  Result<History> built = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(built);
  return std::move(built).value();
}

/// In random order.
History build_shuffled(std::vector<Txn> txns) {
  std::shuffle(txns.begin(), txns.end(), std::mt19937(1));
  return build(txns, 100);
}

void expect_at(Visibility visibility, const History& history, Validity expected) {
  for (const OrderLevel level : kOrderLevels) {
    if (level.visibility == visibility) {
      INFO(to_text(level));
      CHECK(certified_solve(history, level).validity == expected);
    }
  }
}

void expect_everywhere(const History& history, Validity expected) {
  for (const auto visibility : {Visibility::kSerial, Visibility::kSnapshot, Visibility::kPrefix}) {
    expect_at(visibility, history, expected);
  }
}

History one_long_session() {
  return build(serial_txns(kScale > 1 ? 1'000'000 : 30'000, Sessions::kOne), 0);
}

TEST_CASE("solve: a million transactions in one session, serializable") {
  expect_at(Visibility::kSerial, one_long_session(), Validity::kValid);
}

TEST_CASE("solve: a million transactions in one session, snapshot isolation") {
  expect_at(Visibility::kSnapshot, one_long_session(), Validity::kValid);
}

TEST_CASE("solve: a million transactions in one session, prefix consistency") {
  expect_at(Visibility::kPrefix, one_long_session(), Validity::kValid);
}

TEST_CASE("solve: a hundred thousand sessions of one transaction") {
  expect_everywhere(build_shuffled(serial_txns(10'000 * kScale, Sessions::kOneEach)),
                    Validity::kValid);
}

TEST_CASE("solve: a cycle among a hundred thousand sessions of one transaction") {
  std::vector<Txn> txns = serial_txns(10'000 * kScale, Sessions::kOneEach);
  const std::size_t middle = txns.size() / 2;
  // Two keys, each read before the write that the other's reader saw.
  txns[middle].mops = {{OpKind::kRead, KeyId{0}, ValueId::integer(-1)},
                       {OpKind::kWrite, KeyId{1}, ValueId::integer(-2)}};
  txns[middle + 1].mops = {{OpKind::kRead, KeyId{1}, ValueId::integer(-2)},
                           {OpKind::kWrite, KeyId{0}, ValueId::integer(-1)}};
  expect_everywhere(build_shuffled(std::move(txns)), Validity::kInvalid);
}

/// Each reads the initial value of one of a hundred keys and writes the next one, if they are a
/// ring, or there is a next one. All at the same time.
std::vector<Txn> readers_of_initial_values(std::uint32_t count, bool is_ring) {
  std::vector<Txn> txns;
  for (std::uint32_t i = 0; i < count; ++i) {
    Txn& txn = txns.emplace_back(Txn{i, 0});
    txn.mops = {{OpKind::kRead, KeyId{i % 100}, ValueId::integer(0)}};
    if (is_ring || i % 100 != 99) {
      txn.mops.push_back({OpKind::kWrite, KeyId{(i + 1) % 100}, ValueId::integer(i + 1)});
    }
  }
  return txns;
}

TEST_CASE("solve: many read the initial values of few keys, and many write them") {
  const History ring = build(readers_of_initial_values(kScale > 1 ? 100'000 : 1'200, true), 1000);
  CHECK(certified_solve(ring, {Visibility::kSerial, false, false}).validity == Validity::kInvalid);
  if (kScale > 1) {  // after 100,000 steps of search
    const History small_ring = build(readers_of_initial_values(200, true), 1000);  // 2^100 orders
    for (const History* history : {&small_ring, &ring}) {
      CHECK(certified_solve(*history, {Visibility::kSnapshot, false, false}).validity ==
            Validity::kInvalid);
    }
  }
  // Key by key, the last one first.
  const History line = build(readers_of_initial_values(kScale > 1 ? 5'000 : 200, false), 1000);
  CHECK(certified_solve(line, {Visibility::kSerial, false, false}).validity == Validity::kValid);
  CHECK(certified_solve(line, {Visibility::kSnapshot, false, false}).validity == Validity::kValid);
}

TEST_CASE("solve: one transaction is in all pairs of a ring of readers of initial values") {
  constexpr std::uint32_t kOthers = 600;               // so many that the ring is looked for first
  for (std::uint32_t least = 0; least < 3; ++least) {  // the key at which its value is the least
    std::vector<Txn> txns = {Txn{0, 0}};
    for (std::uint32_t key = 0; key < 3; ++key) {
      const std::uint32_t next = (key + 1) % 3;
      txns[0].mops.push_back({OpKind::kRead, KeyId{key}, ValueId::integer(0)});
      txns.push_back({key + 1,
                      0,
                      {{OpKind::kRead, KeyId{next}, ValueId::integer(0)},
                       {OpKind::kWrite, KeyId{key}, ValueId::integer(3)}}});
    }
    for (std::uint32_t key = 0; key < 3; ++key) {
      txns[0].mops.push_back({OpKind::kWrite, KeyId{key}, ValueId::integer(key == least ? 1 : 5)});
    }
    for (std::uint32_t i = 4; i < kOthers; ++i) {
      txns.push_back({i, 0, {{OpKind::kWrite, KeyId{i}, ValueId::integer(1)}}});
    }
    CHECK(certified_solve(build(txns, 1000), {Visibility::kSnapshot, false, false}).validity ==
          Validity::kInvalid);
  }
}

/// One session behind the other, so that the order in the history tells little; without times.
History build_by_session(std::vector<Txn> txns, std::uint32_t key_count) {
  std::ranges::stable_sort(txns, {}, &Txn::session);
  HistoryBuilder builder;
  for (std::int64_t key = 0; key < key_count; ++key) {
    builder.key(ValueId::integer(key));
  }
  for (Txn& txn : txns) {
    REQUIRE(builder.add_transaction({.session = txn.session, .mops = std::move(txn.mops)}));
  }
  Result<History> built = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(built);
  return std::move(built).value();
}

/// Transactions of so many sessions, carried out one after another. Half of the operations are
/// blind writes. `torn`: two sessions see two writes in different orders at the end.
History blind_writes(std::uint32_t count, bool torn, std::uint32_t sessions = 8) {
  std::mt19937 random(count);
  const std::uint32_t key_count = count / 10;
  std::vector<std::int64_t> store(key_count, 0);
  std::vector<Txn> txns;
  const auto add = [&](std::int64_t session, std::vector<MopInput> mops) {
    txns.push_back({.session = session, .mops = std::move(mops)});
  };
  std::int64_t value = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    std::vector<MopInput> mops;
    for (std::uint32_t first = static_cast<std::uint32_t>(random()), k = 0; k < 8; ++k) {
      const KeyId key{(first % 1000 + k * k * 7 + k) % key_count};
      const bool writes = random() % 2 == 0;
      store[key.index()] = writes ? ++value : store[key.index()];
      mops.push_back(
          {writes ? OpKind::kWrite : OpKind::kRead, key, ValueId::integer(store[key.index()])});
    }
    add(static_cast<std::int64_t>(random() % sessions), std::move(mops));
  }
  const KeyId x{key_count};
  const KeyId y{key_count + 1};
  const auto read = [](KeyId key, std::int64_t seen) {
    return MopInput{OpKind::kRead, key, ValueId::integer(seen)};
  };
  if (torn) {
    add(0, {{OpKind::kWrite, x, ValueId::integer(-1)}});
    add(1, {{OpKind::kWrite, y, ValueId::integer(-2)}});
    add(2, {read(x, -1), read(y, 0)});
    add(3, {read(x, 0), read(y, -2)});
  }
  return build_by_session(std::move(txns), key_count + 2);
}

TEST_CASE("solve: blind writes of a few sessions") {
  for (const OrderLevel level : kOrderLevels) {
    if (!level.real_time) {
      INFO(to_text(level));
      const auto check = [&](bool torn) {
        const History history = blind_writes(1'000 * kScale, torn);
        return certified_solve(history, level).validity;
      };
      CHECK(check(false) == Validity::kValid);
      CHECK(check(true) == Validity::kInvalid);
    }
  }
}

TEST_CASE("solve: blind writes of many sessions, with reachability and without") {
  for (const OrderLevel level : {OrderLevel{Visibility::kSerial, false, false},
                                 OrderLevel{Visibility::kSnapshot, true, false}}) {
    for (const bool torn : {false, true}) {
      INFO(to_text(level) << (torn ? ", torn" : ""));
      const History history = blind_writes(100 * kScale, torn, 1'000'000'000);
      const Validity expected = torn ? Validity::kInvalid : Validity::kValid;
      CHECK(certified_solve(history, level).validity == expected);
      const SolveResult without = solve(history, {.level = level, .reachability = 0});
      CHECK(without.validity == expected);
      if (torn) {
        CHECK(without.lacks_reachability);
        REQUIRE(without.refutation);
        CHECK(check_refutation(history, level, *without.refutation).value_or("").empty());
      }
    }
  }
}

/// Carried out one after another by 20 sessions that take turns: each reads one of ten keys and
/// writes another one, of three values.
History few_values(std::uint32_t count) {
  std::mt19937 random(count);
  std::vector<std::int64_t> store(10, 0);
  HistoryBuilder builder;
  for (std::int64_t key = 0; key < 10; ++key) {
    builder.key(ValueId::integer(key));
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const KeyId read{static_cast<std::uint32_t>(random() % 10)};
    const KeyId written{static_cast<std::uint32_t>((read.value + 1 + random() % 9) % 10)};
    const std::int64_t seen = store[read.index()];
    store[written.index()] = 1 + static_cast<std::int64_t>(random() % 3);
    const std::vector<MopInput> mops = {
        {OpKind::kRead, read, ValueId::integer(seen)},
        {OpKind::kWrite, written, ValueId::integer(store[written.index()])}};
    REQUIRE(builder.add_transaction({.session = i % 20, .mops = mops}));
  }
  Result<History> built = std::move(builder).build({.initial = ValueId::integer(0)});
  REQUIRE(built);
  return std::move(built).value();
}

TEST_CASE("solve: values that repeat need no search where sessions take turns in the history") {
  const History history = few_values(500 * kScale);
  for (const OrderLevel level : kOrderLevels) {
    if (!level.real_time) {
      INFO(to_text(level));
      const SolveResult result = certified_solve(history, level);
      CHECK(result.validity == Validity::kValid);
      CHECK(result.statistics.choices == 0);
    }
  }
}

TEST_CASE("solve: a hundred thousand transactions without operations") {
  std::vector<Txn> txns;
  for (std::uint32_t i = 0; i < 10'000 * kScale; ++i) {
    txns.push_back({i % 2 == 0 ? 0 : i, i});
  }
  expect_everywhere(build(txns, 10), Validity::kValid);
}

}  // namespace
}  // namespace elapid
