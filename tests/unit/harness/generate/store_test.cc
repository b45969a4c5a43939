#include "harness/generate/store/store.h"

#include <catch2/catch.hpp>
#include <vector>

namespace elapid {
namespace {

constexpr RequestStep kReadX = {.kind = OpKind::kRead, .slot = 0, .key = 0};
constexpr RequestStep kListX = {.kind = OpKind::kReadList, .slot = 0, .key = 0};

RequestStep write_x(std::int64_t value) {
  return {.kind = OpKind::kWrite, .slot = 0, .key = 0, .value = value};
}

RequestStep append_x(std::int64_t value) {
  return {.kind = OpKind::kAppend, .slot = 0, .key = 0, .value = value};
}

/// A store with a few transactions, each of a session of its own, and a clock.
class Stage {
 public:
  explicit Stage(std::string_view kind) : store_(*find_store(kind), {}, 1) {}

  StoreTxn& begin(std::size_t number, bool only_reads = false) {
    Actor& actor = actors_.at(number);
    store_.begin(actor.txn, actor.session, only_reads, clock_ += 1000);
    return actor.txn;
  }

  Seen read(StoreTxn& txn) {
    Seen seen;
    std::vector<std::int64_t> elements;
    CHECK(store_.read(txn, kReadX, seen, elements) == StepAnswer::kDone);
    return seen;
  }

  std::vector<std::int64_t> read_list(StoreTxn& txn) {
    Seen seen;
    std::vector<std::int64_t> elements;
    CHECK(store_.read(txn, kListX, seen, elements) == StepAnswer::kDone);
    return elements;
  }

  StepAnswer write(StoreTxn& txn, std::int64_t value) { return store_.write(txn, write_x(value)); }

  StepAnswer append(StoreTxn& txn, std::int64_t value) {
    return store_.write(txn, append_x(value));
  }

  StepAnswer commit(StoreTxn& txn) { return store_.commit(txn, clock_ += 1000); }

  Store& store() { return store_; }

 private:
  struct Actor {
    StoreSession session = {};
    StoreTxn txn = {};
  };

  Store store_;
  std::vector<Actor> actors_ = std::vector<Actor>(4);
  std::int64_t clock_ = 0;
};

TEST_CASE(
    "store: strict serializability lets the first of two that changed what they read commit") {
  Stage stage("strict-serializable");
  StoreTxn& first = stage.begin(0);
  StoreTxn& second = stage.begin(1);
  CHECK(stage.read(first) == Seen());
  CHECK(stage.read(second) == Seen());
  CHECK(stage.write(first, 1) == StepAnswer::kDone);
  CHECK(stage.write(second, 2) == StepAnswer::kDone);
  CHECK(stage.read(second) == Seen(2));
  CHECK(stage.commit(second) == StepAnswer::kDone);
  CHECK(stage.commit(first) == StepAnswer::kConflict);
  CHECK(stage.read(stage.begin(2)) == Seen(2));
}

TEST_CASE("store: a snapshot does not change, and lists end in own elements") {
  Stage stage("strong-snapshot-isolation");
  StoreTxn& early = stage.begin(0);
  StoreTxn& writer = stage.begin(1);
  stage.append(writer, 1);
  CHECK(stage.read_list(writer) == std::vector<std::int64_t>{1});
  stage.commit(writer);
  CHECK(stage.read_list(early).empty());
  CHECK(stage.append(early, 2) == StepAnswer::kDone);
  CHECK(stage.read_list(early) == std::vector<std::int64_t>{2});
  CHECK(stage.commit(early) == StepAnswer::kConflict);
}

TEST_CASE("store: dirty reads, and writers that wait for one another") {
  Stage stage("read-uncommitted");
  StoreTxn& writer = stage.begin(0);
  StoreTxn& other = stage.begin(1);
  CHECK(stage.append(writer, 1) == StepAnswer::kDone);
  CHECK(stage.read_list(other) == std::vector<std::int64_t>{1});
  CHECK(stage.append(other, 2) == StepAnswer::kWait);
  stage.store().abort(writer);
  CHECK(stage.append(other, 2) == StepAnswer::kDone);
  CHECK(stage.read_list(other) == std::vector<std::int64_t>{2});
}

TEST_CASE("store: who would wait for himself is aborted") {
  Stage stage("read-uncommitted");
  StoreTxn& first = stage.begin(0);
  StoreTxn& second = stage.begin(1);
  const RequestStep write_y = {.kind = OpKind::kWrite, .slot = 1, .key = 1, .value = 1};
  CHECK(stage.write(first, 1) == StepAnswer::kDone);
  CHECK(stage.store().write(second, write_y) == StepAnswer::kDone);
  CHECK(stage.write(second, 2) == StepAnswer::kWait);
  CHECK(stage.store().write(first, write_y) == StepAnswer::kConflict);
  CHECK(stage.write(second, 2) == StepAnswer::kDone);
}

TEST_CASE("store: old versions are forgotten") {
  Stage stage("snapshot-isolation");
  for (int i = 0; i < 10'000; ++i) {
    StoreTxn& txn = stage.begin(0);
    stage.write(txn, i);
    stage.commit(txn);
  }
  CHECK(stage.store().version_count() < 300);
}

TEST_CASE("store: a leader that fails takes the last commits with it") {
  StoreSession session;
  StoreTxn txn;
  Store store(*find_store("lossy-failover"), {.failover_every = 5, .lost_tail = 3}, 1);
  std::int64_t lost = 0;
  for (std::int64_t value = 1; value <= 200; ++value) {
    store.begin(txn, session, false, value);
    Seen seen;
    std::vector<std::int64_t> elements;
    store.read(txn, kListX, seen, elements);
    const std::int64_t missing = value - 1 - lost - static_cast<std::int64_t>(elements.size());
    CHECK(missing >= 0);
    CHECK(missing <= 3);
    lost += missing;
    store.write(txn, append_x(value));
    store.commit(txn, value);
  }
  CHECK(lost > 10);
  CHECK(store.failovers() > 10);
}

TEST_CASE("store: names are those of levels, and their aliases") {
  CHECK(find_store("si")->name == "strong-session-snapshot-isolation");
  CHECK(find_store("PL-3")->name == "serializable");
  CHECK(find_store("strong-serializable")->name == "strict-serializable");
  CHECK(find_store("stale-replicas")->view == View::kReplica);
  CHECK(find_store("cursor-stability") == nullptr);
  CHECK(find_store("nonsense") == nullptr);
}

}  // namespace
}  // namespace elapid
