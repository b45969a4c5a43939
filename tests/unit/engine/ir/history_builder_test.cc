#include "engine/ir/history_builder.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

/// Events without operations, all at their place.
class Events {
 public:
  explicit Events(BuilderOptions options = {}) : builder_(options) {}

  Status add(EventType type, std::optional<std::int64_t> process,
             std::optional<std::int64_t> index = {}, std::optional<std::int64_t> time = {},
             std::uint64_t offset = 0) {
    return builder_.add_event({.type = type,
                               .process = process,
                               .index = index,
                               .time = time,
                               .position = {.file = 0, .offset = offset}});
  }

  HistoryBuilder& builder() { return builder_; }

  Result<History> build() { return std::move(builder_).build({.format = "test"}); }

 private:
  HistoryBuilder builder_;
};

std::vector<Remark::Kind> remarks(const History& history) {
  std::vector<Remark::Kind> kinds;
  for (const Remark& remark : history.info().remarks) {
    kinds.push_back(remark.kind);
  }
  return kinds;
}

TEST_CASE("builder: what the length of the input tells changes nothing but the room") {
  for (const std::size_t first : {1U, 20'000U}) {
    HistoryBuilder builder;
    builder.expect_bytes(1'000'000);
    const MopInput mop = {.kind = OpKind::kWrite, .key = builder.key(ValueId::integer(7))};
    const std::vector<MopInput> mops(20'000, mop);
    for (const std::size_t count : {first, mops.size(), mops.size()}) {
      REQUIRE(builder
                  .add_transaction(
                      {.position = {.offset = 1'000 * count}, .mops = std::span(mops).first(count)})
                  .ok());
    }
    const Result<History> history = std::move(builder).build({.format = "edn"});
    REQUIRE(history.ok());
    CHECK(history.value().op_count() == first + 2 * mops.size());
  }
}

TEST_CASE(
    "builder: a beginning that is not like the rest asks for no more room than the input has") {
  HistoryBuilder builder;
  builder.expect_bytes(4'000'000);
  const MopInput mop = {.kind = OpKind::kWrite, .key = builder.key(ValueId::integer(7))};
  const std::vector<MopInput> mops(150'000, mop);
  std::uint64_t offset = 1;
  for (const std::size_t count : {1U, 1U, 150'000U, 1U, 1U}) {
    REQUIRE(
        builder
            .add_transaction({.position = {.offset = offset}, .mops = std::span(mops).first(count)})
            .ok());
    offset += 11 * count;
  }
  const Result<History> history = std::move(builder).build({.format = "edn"});
  REQUIRE(history.ok());
  CHECK(history.value().op_count() == 150'004);
}

TEST_CASE("builder: an operation that took long does not make the input seem long") {
  HistoryBuilder builder;
  constexpr std::int64_t kOthers = 20'000;
  builder.expect_bytes(std::uint64_t{2} * 40 * kOthers);
  const std::vector<MopInput> mops(
      1, {.kind = OpKind::kWrite, .key = builder.key(ValueId::integer(7))});
  std::uint64_t offset = 1;
  const auto add = [&](EventType type, std::int64_t process) {
    REQUIRE(
        builder
            .add_event(
                {.type = type, .process = process, .position = {.offset = offset}, .mops = mops})
            .ok());
    offset += 40;
  };
  add(EventType::kInvoke, 0);
  for (std::int64_t i = 0; i < kOthers; ++i) {
    if (i == (1 << 14) - 1) {
      add(EventType::kOk, 0);
    }
    add(EventType::kInvoke, 1);
    add(EventType::kOk, 1);
  }
  const Result<History> history = std::move(builder).build({.format = "edn"});
  REQUIRE(history.ok());
  CHECK(history.value().op_count() == static_cast<std::size_t>(kOthers) + 1);
}

TEST_CASE("builder: a completion ends the invocation that its process has open") {
  const History history = list_history("0> ax1; 1> rx_; 1+ rx; 0- ax1; 1? ax2; 2> ay1");
  REQUIRE(history.txn_count() == 4);
  CHECK(history.status({0}) == TxnStatus::kCommitted);
  CHECK(history.invocation_id({0}) == EventId{1});
  CHECK(history.completion_id({0}) == EventId{2});
  CHECK(history.status({1}) == TxnStatus::kAborted);
  CHECK(history.invocation_id({1}) == EventId{0});
  CHECK(history.status({2}) == TxnStatus::kIndeterminate);
  CHECK(history.has_completion({2}));
  CHECK(history.status({3}) == TxnStatus::kIndeterminate);
  CHECK_FALSE(history.has_completion({3}));
  CHECK(history.representative({3}).id == history.invocation_id({3}));
  CHECK(history.info().event_count == 7);
}

TEST_CASE("builder: sessions keep their transactions in order") {
  const History history = list_history("7+ ax1; 3+ ax2; 7? ax3; 7+ ax4");
  REQUIRE(history.session_count() == 2);
  CHECK(history.session_name({0}) == 7);
  CHECK(history.session_name({1}) == 3);
  const std::span<const TxnId> txns = history.session_txns({0});
  CHECK(std::vector(txns.begin(), txns.end()) == std::vector<TxnId>{{0}, {2}, {3}});
  CHECK(history.session({1}) == SessionId{1});
}

TEST_CASE("builder: two open operations of one process are refused or remarked") {
  Events strict;
  CHECK(strict.add(EventType::kInvoke, 0).ok());
  const Status refused = strict.add(EventType::kInvoke, 0, {}, {}, 12);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::kMalformed);
  CHECK(refused.error().byte_offset == 12);

  Events tolerant({.tolerate_overlaps = true});
  CHECK(tolerant.add(EventType::kInvoke, 0).ok());
  CHECK(tolerant.add(EventType::kInvoke, 0).ok());
  CHECK(tolerant.add(EventType::kOk, 0).ok());
  const Result<History> history = tolerant.build();
  REQUIRE(history.ok());
  CHECK(remarks(history.value()) == std::vector{Remark::Kind::kOverlappingProcess});
  REQUIRE(history.value().txn_count() == 2);
  CHECK(history.value().status({0}) == TxnStatus::kIndeterminate);
  CHECK_FALSE(history.value().has_completion({0}));
  CHECK(history.value().invocation_id({1}) == EventId{1});
}

TEST_CASE("builder: a completion without an invocation is a transaction with a remark") {
  Events events;
  CHECK(events.add(EventType::kOk, 0).ok());
  const Result<History> history = events.build();
  REQUIRE(history.ok());
  CHECK(remarks(history.value()) == std::vector{Remark::Kind::kMissingInvocation});
  CHECK_FALSE(history.value().has_invocation({0}));
  CHECK(history.value().event({0}, EventKind::kInvocation).id.is_none());
}

TEST_CASE("builder: completions alone tell of no real time") {
  Events completions;
  CHECK(completions.add(EventType::kOk, 0).ok());
  CHECK(completions.add(EventType::kOk, 1).ok());
  CHECK_FALSE(completions.build().value().info().has_real_time);
  Events with_invocation;
  CHECK(with_invocation.add(EventType::kOk, 0).ok());
  CHECK(with_invocation.add(EventType::kInvoke, 1).ok());
  CHECK(with_invocation.build().value().info().has_real_time);
  CHECK(Events().build().value().info().has_real_time);
}

TEST_CASE("builder: indices are all there and unique, or all missing") {
  SECTION("given") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, 5).ok());
    CHECK(events.add(EventType::kOk, 0, 9).ok());
    const Result<History> history = events.build();
    REQUIRE(history.ok());
    CHECK(history.value().event({0}, EventKind::kInvocation).index == 5);
    CHECK(history.value().event_index({1}) == 9);
  }
  SECTION("missing") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0).ok());
    CHECK(events.add(EventType::kOk, 0, 1).ok());
    CHECK_FALSE(events.add(EventType::kInvoke, 0, 7).ok());
  }
  SECTION("given, then missing") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, 0).ok());
    CHECK_FALSE(events.add(EventType::kOk, 0).ok());
  }
  SECTION("twice in a row") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, 3).ok());
    CHECK_FALSE(events.add(EventType::kOk, 0, 3).ok());
  }
  SECTION("twice, apart") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, 3).ok());
    CHECK(events.add(EventType::kOk, 0, 1).ok());
    const Status refused = events.add(EventType::kInvoke, 0, 3);
    REQUIRE_FALSE(refused.ok());
    CHECK_THAT(refused.error().message, Contains(":index 3"));
  }
  SECTION("descending is remarked") {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, 3).ok());
    CHECK(events.add(EventType::kOk, 0, 1).ok());
    const Result<History> history = events.build();
    REQUIRE(history.ok());
    CHECK(remarks(history.value()) == std::vector{Remark::Kind::kOther});
  }
}

TEST_CASE("builder: skipped events take places") {
  Events events;
  CHECK(events.builder().skip_event({.index = 0}).ok());
  CHECK(events.add(EventType::kInvoke, 0, 1).ok());
  CHECK(events.builder().skip_event({.index = 2}).ok());
  CHECK(events.add(EventType::kOk, 0, 3).ok());
  const Result<History> history = events.build();
  REQUIRE(history.ok());
  CHECK(history.value().info().event_count == 4);
  CHECK(history.value().invocation_id({0}) == EventId{1});
  CHECK(history.value().completion_id({0}) == EventId{3});
}

TEST_CASE("builder: times and positions come back, however far apart") {
  constexpr std::int64_t kLate = std::numeric_limits<std::int64_t>::max();
  constexpr std::uint64_t kFarOffset = (std::uint64_t{1} << 48) - 1;
  Events events;
  CHECK(events.add(EventType::kInvoke, 0, {}, 5, 100).ok());
  CHECK(events.add(EventType::kOk, 0, {}, 17, 240).ok());
  CHECK(events.add(EventType::kInvoke, 1, {}, 18, 300).ok());
  CHECK(events.add(EventType::kOk, 1, {}, kLate, kFarOffset).ok());
  CHECK(events.add(EventType::kInvoke, 2, {}, kLate, 400).ok());
  CHECK(events.add(EventType::kOk, 2, {}, -kLate, 390).ok());
  CHECK(events.add(EventType::kInvoke, 3).ok());
  CHECK(events.add(EventType::kOk, 3, {}, 20).ok());
  const Result<History> built = events.build();
  REQUIRE(built.ok());
  const History& history = built.value();
  const auto time = [&](std::uint32_t txn, EventKind kind) {
    return history.event({txn}, kind).time;
  };
  const auto offset = [&](std::uint32_t txn, EventKind kind) {
    return history.event({txn}, kind).position.offset;
  };
  CHECK(time(0, EventKind::kInvocation) == 5);
  CHECK(time(0, EventKind::kCompletion) == 17);
  CHECK(time(1, EventKind::kCompletion) == kLate);
  CHECK(time(2, EventKind::kInvocation) == kLate);
  CHECK(time(2, EventKind::kCompletion) == -kLate);
  CHECK(time(3, EventKind::kCompletion) == 20);
  CHECK(offset(0, EventKind::kInvocation) == 100);
  CHECK(offset(0, EventKind::kCompletion) == 240);
  CHECK(offset(1, EventKind::kCompletion) == kFarOffset);
  CHECK(offset(2, EventKind::kCompletion) == 390);
  CHECK(remarks(history) == std::vector{Remark::Kind::kTimeBackwards});
}

TEST_CASE("builder: distances at the edge of what is kept inline") {
  constexpr std::int64_t kFar = 0xffffffff;
  for (const std::int64_t distance : {kFar - 1, kFar, kFar + 1}) {
    INFO("distance " << distance);
    Events events;
    CHECK(events.add(EventType::kInvoke, 0, {}, 7, 9).ok());
    CHECK(events.add(EventType::kOk, 0, {}, 7 + distance, 9 + static_cast<std::uint64_t>(distance))
              .ok());
    const Result<History> history = events.build();
    REQUIRE(history.ok());
    const Event completion = history.value().event({0}, EventKind::kCompletion);
    CHECK(completion.time == 7 + distance);
    CHECK(completion.position.offset == 9 + static_cast<std::uint64_t>(distance));
    CHECK(history.value().event({0}, EventKind::kInvocation).time == 7);
  }
}

TEST_CASE("builder: either event may lack its time") {
  Events events;
  CHECK(events.add(EventType::kInvoke, 0, {}, 5).ok());
  CHECK(events.add(EventType::kOk, 0).ok());
  CHECK(events.add(EventType::kInvoke, 0).ok());
  CHECK(events.add(EventType::kOk, 0).ok());
  CHECK(events.add(EventType::kInvoke, 0, {}, 6).ok());
  const Result<History> history = events.build();
  REQUIRE(history.ok());
  CHECK(history.value().event({0}, EventKind::kInvocation).time == 5);
  CHECK_FALSE(history.value().event({0}, EventKind::kCompletion).time);
  CHECK_FALSE(history.value().event({1}, EventKind::kInvocation).time);
  CHECK_FALSE(history.value().event({1}, EventKind::kCompletion).time);
  CHECK(history.value().event({2}, EventKind::kInvocation).time == 6);
  CHECK(history.value().event({2}, EventKind::kCompletion).id.is_none());
  CHECK(remarks(history.value()).empty());
}

TEST_CASE("builder: indices may start dense and become sparse") {
  Events events;
  for (const std::int64_t index : {0, 1, 5, 6, 20}) {
    CHECK(events.add(EventType::kInvoke, index, index).ok());
  }
  const Result<History> history = events.build();
  REQUIRE(history.ok());
  for (std::uint32_t t = 0; t < 5; ++t) {
    CHECK(history.value().event({t}, EventKind::kInvocation).index ==
          history.value().session_name({t}));
  }
  CHECK(remarks(history.value()).empty());
}

TEST_CASE("builder: an index is not repeated even among dense ones before the disorder") {
  Events events;
  for (const std::int64_t index : {0, 1, 2, 9, 4}) {
    CHECK(events.add(EventType::kInvoke, index, index).ok());
  }
  CHECK_FALSE(events.add(EventType::kInvoke, 30, 1).ok());
}

TEST_CASE("builder: a process may complete once only") {
  const auto complete_twice = [](EventType second) {
    Events events;
    CHECK(events.add(EventType::kInvoke, 0).ok());
    CHECK(events.add(EventType::kInfo, 0).ok());
    CHECK(events.add(second, 0).ok());
    Result<History> history = events.build();
    REQUIRE(history.ok());
    return std::move(history).value();
  };
  const History history = complete_twice(EventType::kOk);
  CHECK(history.txn_count() == 2);
  CHECK(history.status({0}) == TxnStatus::kIndeterminate);
  CHECK(history.committed({1}));
  CHECK_FALSE(history.has_invocation({1}));
  CHECK(remarks(history) == std::vector{Remark::Kind::kMissingInvocation});
}

TEST_CASE("builder: unfinished transactions come last, by session, and last in their sessions") {
  const History history = list_history("4> ax1; 2> ax2; 4+ ax1; 4> ax3; 7+ ax4");
  REQUIRE(history.txn_count() == 4);
  CHECK(history.session_name(history.session({0})) == 4);
  CHECK(history.session_name(history.session({1})) == 7);
  CHECK(history.session_name(history.session({2})) == 4);
  CHECK(history.session_name(history.session({3})) == 2);
  const std::span<const TxnId> txns = history.session_txns(history.session({0}));
  CHECK(std::vector(txns.begin(), txns.end()) == std::vector<TxnId>{{0}, {2}});
}

TEST_CASE("builder: what was invoked stands for an indeterminate completion that says nothing") {
  const auto answer = [](BuilderOptions options) {
    HistoryBuilder builder(options);
    const MopInput write{.kind = OpKind::kWrite,
                         .key = builder.key(ValueId::integer(1)),
                         .value = ValueId::integer(2)};
    CHECK(builder.add_event({.type = EventType::kInvoke, .process = 0, .mops = {&write, 1}}).ok());
    CHECK(builder.add_event({.type = EventType::kInfo, .process = 0}).ok());
    Result<History> history = std::move(builder).build({});
    REQUIRE(history.ok());
    return std::move(history).value();
  };
  const History believed = answer({});
  CHECK(believed.has_completion({0}));
  CHECK(believed.ops({0}).size() == 1);
  CHECK_FALSE(believed.differing_invocation({0}));
  const History as_elle = answer({.believe_invocations = false});
  CHECK(as_elle.ops({0}).empty());
  REQUIRE(as_elle.differing_invocation({0}));
  CHECK(remarks(as_elle) == std::vector{Remark::Kind::kShapeMismatch});
}

TEST_CASE("builder: remarks are sorted by position, and limited") {
  Events events;
  CHECK(events.add(EventType::kInvoke, 0, {}, 9, 50'000).ok());
  CHECK(events.add(EventType::kOk, 0, {}, 8, 40'000).ok());
  for (std::size_t i = 0; i < HistoryInfo::kMaxRemarks + 10; ++i) {
    CHECK(events.add(EventType::kOk, 1, {}, {}, (i * 7919) % 10'000).ok());
  }
  const Result<History> history = events.build();
  REQUIRE(history.ok());
  const std::vector<Remark>& all = history.value().info().remarks;
  CHECK(all.size() == HistoryInfo::kMaxRemarks + 1);
  CHECK(all.back().kind == Remark::Kind::kTimeBackwards);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const Remark& a, const Remark& b) {
    return a.position.offset < b.position.offset;
  }));
}

TEST_CASE("builder: overlaps without a process are refused or remarked as well") {
  Events strict;
  CHECK(strict.add(EventType::kInvoke, {}).ok());
  CHECK_FALSE(strict.add(EventType::kInvoke, {}).ok());

  Events tolerant({.tolerate_overlaps = true});
  CHECK(tolerant.add(EventType::kInvoke, {}).ok());
  CHECK(tolerant.add(EventType::kInvoke, {}).ok());
  CHECK(tolerant.add(EventType::kOk, {}).ok());
  const Result<History> history = tolerant.build();
  REQUIRE(history.ok());
  REQUIRE(history.value().txn_count() == 2);
  CHECK(history.value().invocation_id({0}) == EventId{1});
  CHECK_FALSE(history.value().has_completion({1}));
}

TEST_CASE("builder: operations without a process are sessions of their own, or dropped") {
  const auto add_all = [](Events& events) {
    CHECK(events.add(EventType::kInvoke, {}).ok());
    CHECK(events.add(EventType::kOk, {}).ok());
    CHECK(events.add(EventType::kInvoke, {}).ok());
    CHECK(events.add(EventType::kInfo, {}).ok());
  };
  Events kept;
  add_all(kept);
  const Result<History> history = kept.build();
  REQUIRE(history.ok());
  CHECK(history.value().txn_count() == 2);
  CHECK(history.value().session_count() == 2);
  CHECK_FALSE(history.value().info().has_process);
  CHECK(remarks(history.value()) == std::vector{Remark::Kind::kNoProcess});

  Events dropped({.drop_processless = true});
  add_all(dropped);
  const Result<History> empty = dropped.build();
  REQUIRE(empty.ok());
  CHECK(empty.value().txn_count() == 0);
  CHECK(empty.value().info().event_count == 4);
}

TEST_CASE("builder: what was invoked is kept where the completion is of another shape") {
  const History same = list_history("0> ax1 rx_; 0+ ax1 rx1");
  CHECK_FALSE(same.differing_invocation({0}));
  const History other = list_history("0> ax1 ax2; 0? ax1");
  REQUIRE(other.differing_invocation({0}));
  CHECK(other.differing_invocation({0})->size() == 2);
  CHECK(remarks(other) == std::vector{Remark::Kind::kShapeMismatch});
  for (const char* text : {"0> ax1; 0+ ax2", "0> ax1; 0+ ay1", "0> ax1; 0+ rx1", "0> ax1; 0+"}) {
    INFO(text);
    CHECK(remarks(list_history(text)) == std::vector{Remark::Kind::kShapeMismatch});
  }
  const History guessed = list_history("0> rx1; 0+ rx12");
  CHECK(guessed.differing_invocation({0}));
  CHECK(remarks(guessed).empty());
}

TEST_CASE("builder: what an invocation without completion would read is unknown") {
  const History history = list_history("0> rx12 ax3");
  REQUIRE(history.ops({0}).size() == 2);
  CHECK(history.ops({0})[0] == Op(OpKind::kRead, {0}, ValueId::nil()));
  CHECK(history.ops({0})[1].kind() == OpKind::kAppend);
}

TEST_CASE("builder: keys are found by name") {
  const History history = list_history("ay1 ax2");
  CHECK(history.key_count() == 2);
  CHECK(history.key_text({0}) == ":y");
  CHECK(history.find_key(history.values().find(":x")) == KeyId{1});
  CHECK(history.find_key(ValueId::integer(5)).is_none());
}

TEST_CASE("builder: whole transactions, with their timestamps") {
  HistoryBuilder builder;
  const MopInput write{.kind = OpKind::kWrite,
                       .key = builder.key(ValueId::integer(-3)),
                       .value = ValueId::integer(1)};
  const auto add = [&](TxnInput txn) {
    txn.mops = {&write, 1};
    return builder.add_transaction(txn).ok();
  };
  CHECK(add({.session = 4}));
  CHECK(add({.session = 4, .start_timestamp = 10, .commit_timestamp = 12}));
  CHECK(add({.session = 5, .status = TxnStatus::kAborted}));
  const Result<History> built = std::move(builder).build({.format = "trace"});
  REQUIRE(built.ok());
  const History& history = built.value();
  CHECK(history.txn_count() == 3);
  CHECK_FALSE(history.info().has_real_time);
  CHECK_FALSE(history.start_timestamp({0}));
  CHECK(history.start_timestamp({1}) == 10);
  CHECK(history.commit_timestamp({1}) == 12);
  CHECK_FALSE(history.commit_timestamp({2}));
  CHECK(history.status({2}) == TxnStatus::kAborted);
  CHECK(history.session_txns({0}).size() == 2);
}

TEST_CASE("builder: the least timestamp stands for none, and is refused") {
  HistoryBuilder builder;
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  CHECK_FALSE(builder.add_transaction({.session = 4, .start_timestamp = kLeast}).ok());
  CHECK_FALSE(builder.add_transaction({.session = 4, .commit_timestamp = kLeast}).ok());
  CHECK_FALSE(builder.add_transaction({.session = 4, .invocation_time = kLeast}).ok());
}

TEST_CASE("builder: whole transactions with times have real time") {
  HistoryBuilder builder;
  CHECK(builder.add_transaction({.session = 4, .invocation_time = 5, .completion_time = 8}).ok());
  const Result<History> built = std::move(builder).build({.format = "trace"});
  REQUIRE(built.ok());
  CHECK(built.value().info().has_real_time);
  CHECK(built.value().info().has_process);
  CHECK(built.value().event({0}, EventKind::kInvocation).time == 5);
  CHECK(built.value().event({0}, EventKind::kCompletion).time == 8);
  CHECK(built.value().info().event_count == 2);
}

TEST_CASE("builder: lists read come back as they were") {
  const History history = list_history("rx12; rx1; rx21; rx; rx_; rx123");
  const auto elements = [&](std::uint32_t txn) {
    std::vector<std::int64_t> numbers;
    for (const ValueId element : history.elements(history.ops({txn})[0])) {
      numbers.push_back(element.as_integer());
    }
    return numbers;
  };
  CHECK(elements(0) == std::vector<std::int64_t>{1, 2});
  CHECK(elements(1) == std::vector<std::int64_t>{1});
  CHECK(elements(2) == std::vector<std::int64_t>{2, 1});
  CHECK(elements(3).empty());
  CHECK(history.ops({3})[0].kind() == OpKind::kReadList);
  CHECK(history.ops({4})[0].kind() == OpKind::kRead);
  CHECK(elements(5) == std::vector<std::int64_t>{1, 2, 3});
  CHECK(history.trunk({0}).size() == 3);
  CHECK(history.literal_list_count() == 1);
}

TEST_CASE("builder: sessions are sorted by their invocations where that is asked for") {
  constexpr std::int64_t kFar = std::int64_t{1} << 40;  // a span that is kept apart
  for (const bool sorts : {false, true}) {
    HistoryBuilder builder({.sorts_sessions = sorts});
    const auto add = [&](std::int64_t session, std::int64_t begin, std::int64_t end,
                         std::int64_t value) {
      std::vector<MopInput> mops(static_cast<std::size_t>(value));
      for (MopInput& mop : mops) {
        mop = {.kind = OpKind::kWrite,
               .key = builder.key(ValueId::integer(1)),
               .value = ValueId::integer(value)};
      }
      const auto offset = static_cast<std::uint64_t>(value);
      REQUIRE(
          builder
              .add_transaction({.session = session,
                                .status = value == 2 ? TxnStatus::kAborted : TxnStatus::kCommitted,
                                .invocation_time = begin,
                                .completion_time = end,
                                .start_timestamp = 10 * value,
                                .position = {.offset = offset},
                                .mops = mops})
              .ok());
    };
    add(0, 50, kFar, 1);
    add(1, 7, 8, 2);
    add(0, 30, 40, 3);
    add(0, 30, 35, 4);
    const Result<History> built = std::move(builder).build({.has_real_time = true});
    REQUIRE(built.ok());
    const History& history = built.value();
    std::string order;
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      const auto value = static_cast<std::int64_t>(history.ops({t}).size());
      order += std::to_string(value);
      CHECK(history.start_timestamp({t}) == 10 * value);
      CHECK(history.committed({t}) == (value != 2));
      CHECK(history.event({t}, EventKind::kCompletion).position.offset ==
            static_cast<std::uint64_t>(value));
      CHECK(history.event({t}, EventKind::kCompletion).time == (value == 1   ? kFar
                                                                : value == 2 ? 8
                                                                : value == 3 ? 40
                                                                             : 35));
    }
    CHECK(order == (sorts ? "4231" : "1234"));
    CHECK(history.session_txns({0}).size() == 3);
    CHECK(history.invocation_id({1}) == EventId{0});
    CHECK(remarks(history).size() == (sorts ? 1U : 0U));
  }
}

TEST_CASE("builder: what has no room in a history is an error, and no history") {
  const auto outcome = [](const HistoryRoom& room) -> std::string {
    HistoryBuilder builder({.room = room});
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::string text = ":v" + std::to_string(i);
      const MopInput write = {.kind = OpKind::kWrite,
                              .key = builder.key(ValueId::integer(i)),
                              .value = builder.values().intern(text)};
      const std::vector<ValueId> elements = {ValueId::integer(1), ValueId::integer(i)};
      const MopInput read = {
          .kind = OpKind::kReadList, .key = write.key, .list_begin = 0, .list_length = 2};
      const std::vector<MopInput> mops = {write, read};
      const Status status =
          builder.add_event({.type = EventType::kOk,
                             .process = 0,
                             .position = {.offset = static_cast<std::uint64_t>(i)},
                             .mops = mops,
                             .elements = elements});
      if (!status.ok()) {
        return std::to_string(*status.error().byte_offset) + ": " + status.error().message;
      }
    }
    const auto built = std::move(builder).build({.format = "edn"});
    return built ? "built" : "end: " + built.error().message;
  };
  CHECK(outcome({}) == "built");
  CHECK(outcome({.keys = 4, .operations = 8, .events = 4, .values = 6, .elements = 8}) == "built");
  CHECK(outcome({.keys = 3}) == "3: expected no more than 3 keys in one history, found more");
  CHECK(outcome({.operations = 7}) ==
        "3: expected no more than 7 operations in one history, found more");
  CHECK(outcome({.events = 3}) == "3: expected no more than 3 events in one history, found more");
  CHECK(outcome({.values = 5}) ==
        "3: expected no more than 5 different texts, and as many large integers, in one history, "
        "found more");
  CHECK(outcome({.elements = 5}) ==
        "3: expected no more than 5 elements of lists in one history, found more");
  CHECK(outcome({.elements = 7}) ==
        "end: expected no more than 7 elements of lists in one history, found more");
}

TEST_CASE("builder: sessions with names have numbers that no other has") {
  HistoryBuilder builder;
  for (const std::int64_t session : {7, -3, 9}) {
    CHECK(builder.add_event({.type = EventType::kOk, .process = session}).ok());
  }
  builder.name_session(7, "a");
  builder.name_session(9, "b <c>");
  const auto built = std::move(builder).build({.format = "jsonl"});
  REQUIRE(built);
  const History& history = built.value();
  CHECK(history.session_name({0}) == -5);
  CHECK(history.session_name({1}) == -3);
  CHECK(history.session_name({2}) == -4);
  CHECK(history.session_text({0}) == "a");
  CHECK(history.session_text({1}) == "-3");
  CHECK(history.session_text({2}) == "\"b <c>\"");
}

}  // namespace
}  // namespace elapid
