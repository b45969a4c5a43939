// What is told when, on streams of a few transactions.
#include "engine/online/online_checker.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/online/forgetful_page_store.h"
#include "tests/support/memory_page_store.h"

namespace elapid {
namespace {

Atom atom(std::int64_t number) {
  return AtomTable().integer(number);
}

OnlineOp write(std::int64_t key, std::int64_t value) {
  return {.kind = OpKind::kWrite, .key = atom(key), .value = atom(value)};
}

OnlineOp read(std::int64_t key, std::int64_t value) {
  return {.kind = OpKind::kRead, .key = atom(key), .value = atom(value)};
}

OnlineOp read_initial(std::int64_t key) {
  return {.kind = OpKind::kRead, .key = atom(key)};
}

std::string text_of(const OnlineEvent& event) {
  constexpr std::array<const char*, 4> kKinds = {"provisional", "retracted", "final", "late"};
  constexpr std::array<const char*, kTimestampAxiomCount> kAxioms = {
      "int", "ext", "noconflict", "session", "real-time", "start"};
  const AtomTable numbers;
  std::string text = kKinds.at(static_cast<std::size_t>(event.kind));
  text += event.number > 0 ? "#" + std::to_string(event.number) : "";
  text += event.stands ? "" : " not";
  text += std::string(" ") + kAxioms.at(static_cast<std::size_t>(event.name.axiom));
  text += " " + numbers.json(event.name.txn);
  text += event.facts.other.is_none() ? "" : " of " + numbers.json(event.facts.other);
  return text;
}

class Stream {
 public:
  explicit Stream(OnlineOptions options = {}) : options_(options), checker_(options, store_) {}

  /// Takes a committed transaction and says what is told then.
  std::string add(std::int64_t id, std::int64_t session,
                  std::pair<std::int64_t, std::int64_t> times, std::vector<OnlineOp> ops) {
    return add({.id = atom(id),
                .session = atom(session),
                .start = Timestamp{times.first, 0},
                .commit = Timestamp{times.second, 0},
                .ops = std::move(ops)});
  }

  std::string add(const OnlineTxn& txn) {
    is_new = checker_.add(txn);
    return told();
  }

  std::string advance(std::int64_t watermark) {
    checker_.advance({watermark, 0});
    return told();
  }

  [[nodiscard]] const OnlineChecker& checker() const { return checker_; }

  bool is_new = false;

 private:
  std::string told() {
    std::string text;
    for (const OnlineEvent& event : checker_.take_events()) {
      text += (text.empty() ? "" : "; ") + text_of(event);
    }
    return text;
  }

  OnlineOptions options_;
  MemoryPageStore store_;
  OnlineChecker checker_;
};

/// A sorted stream that has told of a wrong read, which shows 7, and has forgotten it.
class Forgetful {
 public:
  explicit Forgetful(OnlineOp wrong) : checker_(options_for(wrong), store_) {
    OnlineTxn reader = {.id = atom(1), .session = atom(1), .start = time(5), .commit = time(6)};
    if (wrong.kind == OpKind::kReadList) {
      wrong.list_length = 1;
      reader.elements = {atom(7)};
    }
    reader.ops = {wrong};
    checker_.add(reader);
    checker_.advance({50, 0});
    checker_.forget();
  }

  /// The violations left once someone wrote the value, nobody knows when.
  std::uint64_t left_after(OpKind kind, std::int64_t value) {
    checker_.add({.id = atom(2),
                  .session = atom(2),
                  .status = TxnStatus::kIndeterminate,
                  .ops = {{.kind = kind, .key = atom(3), .value = atom(value)}}});
    return checker_.ledger().size();
  }

  [[nodiscard]] const OnlineChecker& checker() const { return checker_; }

 private:
  static Timestamp time(std::int64_t physical) { return {physical, 0}; }

  static OnlineOptions options_for(const OnlineOp& read) {
    const bool is_list = read.kind == OpKind::kReadList;
    return {.workload = is_list ? Workload::kListAppend : Workload::kRwRegister, .is_sorted = true};
  }

  ForgetfulPageStore store_;
  OnlineChecker checker_;
};

TEST_CASE("online: a write without a time explains reads that a sorted stream has forgotten") {
  const OnlineOp of_list = {.kind = OpKind::kReadList, .key = atom(3)};
  Forgetful registers(read(3, 7));
  CHECK(registers.checker().ledger().size() == 1);
  CHECK(registers.left_after(OpKind::kWrite, 7) == 0);
  CHECK(registers.checker().counts().maybe == 1);
  CHECK(Forgetful(read(3, 7)).left_after(OpKind::kWrite, 8) == 1);
  Forgetful lists(of_list);
  CHECK(lists.checker().ledger().size() == 1);
  CHECK(lists.left_after(OpKind::kAppend, 7) == 0);
  CHECK(lists.checker().counts().maybe == 1);
  CHECK(Forgetful(of_list).left_after(OpKind::kAppend, 8) == 1);
}

TEST_CASE("online: a wrong read becomes final with the watermark") {
  Stream stream;
  CHECK(stream.add(1, 1, {1, 2}, {write(7, 1)}).empty());
  CHECK(stream.add(2, 2, {5, 6}, {read_initial(7)}) == "provisional ext 2");
  CHECK(stream.checker().counts().provisional == 1);
  CHECK(stream.advance(4).empty());
  CHECK(stream.advance(5) == "final#1 ext 2");
  CHECK(stream.checker().counts().provisional == 0);
  CHECK(stream.advance(100).empty());
  CHECK(stream.checker().ledger().size() == 1);
}

TEST_CASE("online: what arrives in time makes a read right") {
  Stream stream;
  CHECK(stream.add(2, 2, {5, 6}, {read(7, 1)}) == "provisional ext 2");
  CHECK(stream.add(1, 1, {1, 2}, {write(7, 1)}) == "retracted ext 2");
  CHECK(stream.checker().counts().flips == 1);
  CHECK(stream.add(3, 3, {2, 3}, {write(7, 3)}) == "provisional ext 2");
  CHECK(stream.add(4, 4, {3, 4}, {write(7, 1)}) == "retracted ext 2");
  CHECK(stream.advance(100).empty());
  CHECK(stream.checker().ledger().size() == 0);
}

TEST_CASE("online: nothing provisional where it is not wanted") {
  Stream stream({.wants_provisional = false});
  CHECK(stream.add(2, 2, {5, 6}, {read(7, 1)}).empty());
  CHECK(stream.checker().counts().provisional == 1);
  CHECK(stream.advance(9) == "final#1 ext 2");
}

TEST_CASE("online: what is late changes what was final") {
  Stream stream;
  CHECK(stream.add(2, 2, {5, 6}, {read(7, 1)}) == "provisional ext 2");
  CHECK(stream.advance(9) == "final#1 ext 2");
  CHECK(stream.add(1, 1, {1, 2}, {write(7, 1)}) == "late#2 not ext 2");
  CHECK(stream.checker().ledger().size() == 0);
  CHECK(stream.add(3, 3, {3, 4}, {write(7, 3)}) == "late#3 ext 2 of 1");
  CHECK(stream.checker().ledger().size() == 1);
  CHECK(stream.checker().counts().late == 2);
}

TEST_CASE("online: a late read is wrong for good at once") {
  Stream stream;
  stream.advance(9);
  CHECK(stream.add(2, 2, {5, 6}, {read(7, 1)}) == "late#1 ext 2");
}

TEST_CASE("online: where a value came from may turn out later") {
  Stream stream;
  stream.add(2, 2, {5, 6}, {read(7, 1)});
  CHECK(stream.advance(5) == "final#1 ext 2");
  CHECK(stream.add(3, 3, {8, 9}, {write(7, 1)}) == "late#2 ext 2 of 3");
  CHECK(stream.checker().ledger().all().begin()->second.origin == ReadOrigin::kAfter);
  CHECK(stream.advance(100).empty());
  CHECK(stream.checker().ledger().size() == 1);
}

TEST_CASE("online: reads against what their own transaction did are wrong for good") {
  Stream stream;
  CHECK(stream.add(1, 1, {1, 2}, {write(7, 1), read(7, 2)}) == "final#1 int 1");
  CHECK(stream.add(2, 1, {3, 4}, {write(7, 2), write(7, 3), read(7, 3)}).empty());
  CHECK(stream.add(3, 1, {9, 5}, {}) == "final#2 start 3");
}

TEST_CASE("online: a conflict is one in whatever order its writers arrive") {
  struct Writer {
    std::int64_t id;
    std::pair<std::int64_t, std::int64_t> times;
  };

  // 2 is within 1; 3 overlaps 1 only; 4 none.
  std::vector<Writer> writers = {{1, {1, 10}}, {2, {3, 5}}, {3, {8, 12}}, {4, {13, 14}}};
  do {
    Stream stream;
    std::string told;
    for (const Writer& writer : writers) {
      told += stream.add(writer.id, writer.id, writer.times, {write(7, 1), write(7, writer.id)});
    }
    CHECK(told.find("noconflict 1 of 2") != std::string::npos);
    CHECK(told.find("noconflict 3 of 1") != std::string::npos);
    CHECK(stream.checker().ledger().size() == 2);
  } while (std::ranges::next_permutation(writers, {}, &Writer::id).found);
}

TEST_CASE("online: no conflicts where reads are at the commit") {
  Stream stream({.read_point = ReadPoint::kCommit});
  stream.add(1, 1, {1, 10}, {write(7, 1)});
  stream.add(2, 2, {3, 5}, {write(7, 2)});
  CHECK(stream.add(3, 3, {4, 20}, {read(7, 1)}).empty());
  CHECK(stream.advance(100).empty());
}

TEST_CASE("online: sessions by start") {
  Stream stream({.sessions = true});
  CHECK(stream.add(3, 1, {9, 10}, {}).empty());
  CHECK(stream.add(1, 1, {1, 4}, {}).empty());
  CHECK(stream.add(2, 1, {3, 6}, {}) == "provisional session 2 of 1");
  CHECK(stream.add(4, 2, {3, 6}, {}).empty());
  CHECK(stream.advance(5).empty());
  CHECK(stream.advance(6) == "final#1 session 2 of 1");
  CHECK(stream.add(5, 1, {2, 5}, {}) == "late#2 session 5 of 1; late#3 session 2 of 5");
}

TEST_CASE("online: sessions by sequence, whatever the starts say") {
  Stream stream({.sessions = true});
  const auto txn = [](std::int64_t id, std::int64_t sequence, std::int64_t start,
                      std::int64_t commit) {
    return OnlineTxn{.id = atom(id),
                     .session = atom(1),
                     .sequence = SessionNumber{.number = sequence},
                     .start = Timestamp{start, 0},
                     .commit = Timestamp{commit, 0}};
  };
  CHECK(stream.add(txn(2, 2, 1, 2)).empty());
  CHECK(stream.add(txn(1, 1, 5, 6)) == "provisional session 2 of 1");
  CHECK(stream.add(txn(3, 3, 4, 7)).empty());  // behind 2, and 1 is none of its business
  CHECK(stream.advance(100) == "final#1 session 2 of 1");
}

TEST_CASE("online: starts that are not in the order of arrival leave doubt about sessions") {
  Stream stream({.sessions = true});
  stream.add(1, 1, {1, 2}, {});
  stream.add(2, 2, {1, 2}, {});
  stream.add(3, 1, {5, 6}, {});
  CHECK(stream.checker().counts().disordered == 0);
  stream.add(4, 1, {3, 4}, {});
  CHECK(stream.checker().counts().disordered == 1);
}

TEST_CASE("online: sessions as they arrive, where reads are at the commit") {
  Stream stream({.read_point = ReadPoint::kCommit, .sessions = true});
  stream.add(1, 1, {1, 9}, {});
  CHECK(stream.add(2, 1, {5, 7}, {}) == "provisional session 2 of 1");
  CHECK(stream.add(3, 2, {5, 9}, {}).empty());
  CHECK(stream.add(4, 2, {1, 12}, {}).empty());  // as it came, although it had started before
  CHECK(stream.checker().counts().disordered == 0);
  CHECK(stream.add(5, 2, {3, 10}, {}) == "provisional session 5 of 4");
  CHECK(stream.add(6, 1, {2, 6}, {}).empty());  // which came first?
  CHECK(stream.checker().counts().disordered == 1);
}

TEST_CASE("online: a session some of whose transactions have numbers is in doubt") {
  for (const ReadPoint read_point : {ReadPoint::kStart, ReadPoint::kCommit}) {
    Stream stream({.read_point = read_point, .sessions = true});
    stream.add(OnlineTxn{.id = atom(1),
                         .session = atom(1),
                         .sequence = SessionNumber{.number = 1},
                         .start = Timestamp{1, 0},
                         .commit = Timestamp{9, 0}});
    CHECK(stream.add(2, 1, {5, 7}, {}).empty());
    CHECK(stream.checker().counts().disordered == 1);
  }
}

TEST_CASE("online: of two writers at one time, clocks explain a conflict in either order") {
  for (const bool is_swapped : {false, true}) {
    Stream stream({.clock_skew = {3}});
    stream.add(is_swapped ? 2 : 1, 1, {1, 6}, {write(7, 1)});
    stream.add(is_swapped ? 1 : 2, 2, {5, 6}, {write(7, 2)});
    CHECK(stream.checker().ledger().counts().within_clock_skew == 1);
  }
}

TEST_CASE("online: of what should have been followed, the reader's own element is not the source") {
  Stream stream({.workload = Workload::kListAppend});
  const OnlineOp append_1 = {.kind = OpKind::kAppend, .key = atom(7), .value = atom(1)};
  const OnlineOp append_2 = {.kind = OpKind::kAppend, .key = atom(7), .value = atom(2)};
  const OnlineOp read_1 = {.kind = OpKind::kReadList, .key = atom(7), .list_length = 1};
  stream.add(1, 1, {1, 2}, {append_1});
  stream.add(2, 1, {3, 4}, {append_2});
  stream.add(OnlineTxn{.id = atom(3),
                       .session = atom(2),
                       .start = Timestamp{5, 0},
                       .commit = Timestamp{6, 0},
                       .ops = {read_1, append_1},
                       .elements = {atom(1)}});
  CHECK(stream.add(4, 1, {7, 8}, {append_1}).empty());
  CHECK(stream.advance(100) == "final#1 ext 3 of 1");
}

TEST_CASE("online: incomplete knowledge leaves doubt, and no violations") {
  Stream stream;
  CHECK(stream.add(1, 1, {1, 2}, {read(7, 5)}) == "provisional ext 1");
  CHECK(stream.add(OnlineTxn{.id = atom(2),
                             .session = atom(2),
                             .status = TxnStatus::kIndeterminate,
                             .start = Timestamp{1, 0},
                             .ops = {write(7, 5)}}) == "retracted ext 1");
  CHECK(stream.checker().counts().maybe == 1);
  CHECK(stream.advance(100).empty());
  stream.add(OnlineTxn{
      .id = atom(3), .session = atom(3), .status = TxnStatus::kAborted, .ops = {write(7, 6)}});
  stream.add(OnlineTxn{.id = atom(4), .session = atom(4), .ops = {write(7, 8)}});
  CHECK(stream.checker().counts().unplaced == 1);
  CHECK(stream.add(5, 5, {3, 4}, {read(7, 6)}) == "late#1 ext 5 of 3");
  CHECK(stream.checker().ledger().all().begin()->second.origin == ReadOrigin::kAborted);
}

TEST_CASE("online: duplicates change nothing") {
  Stream stream;
  CHECK(stream.add(1, 1, {1, 2}, {write(7, 1)}).empty());
  CHECK(stream.is_new);
  CHECK(stream.add(1, 1, {3, 4}, {write(7, 2), read(7, 9)}).empty());
  CHECK_FALSE(stream.is_new);
  CHECK(stream.add(2, 2, {5, 6}, {read(7, 1)}).empty());
  CHECK(stream.checker().counts().accepted == 2);
  CHECK(stream.checker().counts().duplicates == 1);
  CHECK(stream.checker().knows(atom(1)));
  CHECK_FALSE(stream.checker().knows(atom(3)));
}

TEST_CASE("online: a check that was saved goes on with its numbers") {
  MemoryPageStore store;
  std::string saved;
  {
    OnlineChecker checker({}, store);
    checker.add({.id = atom(1),
                 .session = atom(1),
                 .start = Timestamp{1, 0},
                 .commit = Timestamp{2, 0},
                 .ops = {read(7, 1)}});
    checker.add({.id = atom(2),
                 .session = atom(2),
                 .start = Timestamp{5, 0},
                 .commit = Timestamp{6, 0},
                 .ops = {read(7, 1)}});
    checker.advance({3, 0});
    CHECK(checker.take_events().size() == 3);
    saved = checker.save();
  }
  OnlineChecker checker({}, store);
  checker.restore(saved);
  CHECK(checker.watermark() == Timestamp{3, 0});
  CHECK(checker.greatest() == Timestamp{6, 0});
  checker.advance({9, 0});
  const std::vector<OnlineEvent> events = checker.take_events();
  REQUIRE(events.size() == 1);
  CHECK(text_of(events[0]) == "final#2 ext 2");
}

}  // namespace
}  // namespace elapid
