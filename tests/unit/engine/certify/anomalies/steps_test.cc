#include <catch2/catch.hpp>

#include "engine/certify/anomalies/step.h"
#include "tests/unit/engine/certify/history_sketch.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

/// What is said against a step; empty if it holds.
std::string against(const History& history, SketchKind kind, const Step& step,
                    const Assumptions& assumptions = {}) {
  const certify::Index index(history, assumptions, kind == SketchKind::kLists);
  return certify::check_step(index, step).value_or("");
}

/// A step that holds, and copies of it with one claim changed, none of which may hold.
void check_corruptions(const History& history, SketchKind kind, const Step& good,
                       const Assumptions& assumptions = {}) {
  CHECK(against(history, kind, good, assumptions) == "");
  const auto corrupted = [&](auto change) {
    Step step = good;
    change(step);
    return against(history, kind, step, assumptions);
  };
  CHECK(corrupted([](Step& step) { ++step.from_mop; }) != "");
  CHECK(corrupted([](Step& step) { ++step.to_mop; }) != "");
  CHECK(corrupted([](Step& step) { step.from_mop = -1; }) != "");
  CHECK(corrupted([](Step& step) { step.to_mop = 1000; }) != "");
  CHECK(corrupted([](Step& step) { step.value = v(99); }) != "");
  CHECK(corrupted([](Step& step) { std::swap(step.from, step.to); }) != "");
  CHECK(corrupted([](Step& step) { step.to = step.from; }) != "");
  CHECK(corrupted([](Step& step) { step.to = TxnId{1000}; }) != "");
  CHECK(corrupted([](Step& step) { step.from = TxnId::none(); }) != "");
  CHECK(corrupted([](Step& step) { step.key = KeyId{step.key.value + 1}; }) != "");
  CHECK(corrupted([](Step& step) { step.key = KeyId::none(); }) != "");
  if (good.relation != Relation::kWr) {
    CHECK(corrupted([](Step& step) { step.value_after = v(99); }) != "");
  }
}

/// Whether each relation but the step's own is refused.
void check_relation(const History& history, SketchKind kind, Step step) {
  const Relation own = step.relation;
  for (const Relation other : {Relation::kWw, Relation::kWr, Relation::kRw}) {
    step.relation = other;
    CHECK((against(history, kind, step) == "") == (other == own));
  }
}

struct Lists {
  HistorySketch sketch{SketchKind::kLists};
  TxnId one = sketch.ok(0, "az9 ax1");
  TxnId two = sketch.ok(1, "ax2 rz9");
  TxnId reader = sketch.ok(2, "rz_ rx12");
  TxnId behind = sketch.ok(3, "ax3");
  TxnId before_one = sketch.ok(4, "rx ry");
  KeyId x = sketch.key('x');
  KeyId y = sketch.key('y');
  TxnId lone = sketch.ok(5, "ay1");
  TxnId nil_reader = sketch.ok(6, "rx_");
  History history = sketch.build();

  std::string against(const Step& step) const {
    return elapid::against(history, SketchKind::kLists, step);
  }
};

TEST_CASE("certify: ww of lists follows neighbours in a list") {
  const Lists lists;
  const Step step = ww(lists.one, lists.two, lists.x, v(1), v(2), 1, 0);
  check_corruptions(lists.history, SketchKind::kLists, step);
  check_relation(lists.history, SketchKind::kLists, step);
}

TEST_CASE("certify: ww of lists refuses the wrong order and what is not next") {
  const Lists lists;
  CHECK_THAT(lists.against(ww(lists.two, lists.one, lists.x, v(2), v(1), 0, 1)),
             Contains("nothing puts 2 directly before 1 in key :x"));
  CHECK_THAT(lists.against(ww(lists.one, lists.behind, lists.x, v(1), v(3), 1, 0)),
             Contains("nothing puts 1 directly before 3"));
  CHECK(lists.against(ww(lists.two, lists.behind, lists.x, v(2), v(3), 0, 0)) == "");
}

TEST_CASE("certify: wr of lists needs the last element and its writer") {
  const Lists lists;
  const Step step = wr(lists.two, lists.reader, lists.x, v(2), 0, 1);
  check_corruptions(lists.history, SketchKind::kLists, step);
  check_relation(lists.history, SketchKind::kLists, step);
  CHECK_THAT(lists.against(wr(lists.one, lists.reader, lists.x, v(1), 1, 1)),
             Contains("does not read a list that ends in 1"));
}

TEST_CASE("certify: rw of lists follows the version read") {
  const Lists lists;
  const Step step = rw(lists.reader, lists.behind, lists.x, v(2), v(3), 1, 0);
  check_corruptions(lists.history, SketchKind::kLists, step);
  check_relation(lists.history, SketchKind::kLists, step);
}

TEST_CASE("certify: rw of lists from the initial state") {
  const Lists lists;
  Step step = rw(lists.before_one, lists.one, lists.x, ValueId::none(), v(1), 0, 1);
  CHECK(lists.against(step) == "");
  step.from = lists.nil_reader;
  CHECK(lists.against(step) == "");
  step.to = lists.two;
  step.value_after = v(2);
  step.to_mop = 0;
  CHECK_THAT(lists.against(step), Contains("nothing puts the initial state directly before 2"));
  const Step unread = rw(lists.before_one, lists.lone, lists.y, ValueId::none(), v(1), 1, 0);
  CHECK(lists.against(unread) == "");
}

TEST_CASE("certify: repeated elements count where they stand first") {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId one = sketch.ok(0, "ax1");
  const TxnId two = sketch.ok(1, "ax2");
  const TxnId three = sketch.ok(2, "ax3");
  sketch.ok(3, "rx1213");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  CHECK(against(history, SketchKind::kLists, ww(two, three, x, v(2), v(3), 0, 0)) == "");
  CHECK(against(history, SketchKind::kLists, ww(one, three, x, v(1), v(3), 0, 0)) != "");
}

TEST_CASE("certify: lists that contradict one another all count") {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId one = sketch.ok(0, "ax1");
  const TxnId two = sketch.ok(1, "ax2");
  const TxnId three = sketch.ok(2, "ax3");
  const TxnId four = sketch.ok(3, "ax4");
  sketch.ok(4, "rx12");
  sketch.ok(5, "rx3");
  sketch.ok(6, "rx31");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const auto holds = [&](TxnId from, std::int64_t before, TxnId to, std::int64_t after) {
    return against(history, SketchKind::kLists, ww(from, to, x, v(before), v(after), 0, 0)) == "";
  };
  CHECK(holds(one, 1, two, 2));
  CHECK(holds(three, 3, one, 1));
  CHECK(holds(one, 1, four, 4));  // both longest lists are candidates
  CHECK(holds(two, 2, four, 4));
  CHECK_FALSE(holds(three, 3, four, 4));
}

TEST_CASE("certify: an element appended twice has no certain writer") {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId one = sketch.ok(0, "ax1");
  sketch.info(1, "ax1");
  const TxnId reader = sketch.ok(2, "rx1");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  CHECK_THAT(against(history, SketchKind::kLists, wr(one, reader, x, v(1), 0, 0)),
             Contains("another transaction wrote it too"));
}

TEST_CASE("certify: indeterminate transactions count once a trusted one read their writes") {
  HistorySketch sketch(SketchKind::kLists);
  sketch.invoke(9, "aw1");
  const TxnId deep = sketch.info(0, "rw ax1");
  const TxnId middle = sketch.info(1, "rx1 ay1");
  const TxnId reader = sketch.ok(2, "ry1");
  const TxnId unread = sketch.info(3, "rx1 az1");
  const TxnId aborted = sketch.fail(4, "rx1");
  const KeyId w = sketch.key('w');
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  const History history = sketch.build();
  const TxnId open{static_cast<std::uint32_t>(history.txn_count() - 1)};
  const auto read_by = [&](TxnId to, bool elle_compat) {
    return against(history, SketchKind::kLists, wr(deep, to, x, v(1), 1, 0),
                   {.elle_compat = elle_compat});
  };
  CHECK(against(history, SketchKind::kLists, wr(middle, reader, y, v(1), 1, 0)) == "");
  CHECK(read_by(middle, false) == "");
  CHECK_THAT(read_by(unread, false), Contains("may not have taken effect"));
  CHECK(read_by(unread, true) == "");
  CHECK_THAT(read_by(aborted, false), Contains("may not have taken effect"));
  CHECK_THAT(read_by(aborted, true), Contains("may not have taken effect"));
  CHECK_THAT(against(history, SketchKind::kLists, rw(deep, open, w, ValueId::none(), v(1), 0, 0)),
             Contains("may not have taken effect"));
}

TEST_CASE("certify: session order and real time") {
  HistorySketch sketch(SketchKind::kLists);
  const TxnId first = sketch.ok(0, "ax1");
  sketch.invoke(1, "ax2");
  const TxnId second = sketch.ok(0, "ax3");
  const TxnId overlapping = sketch.complete(EventType::kOk, 1, "ax2");
  const TxnId unknown = sketch.info(0, "ax4");
  sketch.ok(2, "rx1234");
  const TxnId after_unknown = sketch.ok(0, "ax5");
  const History history = sketch.build();
  const auto holds = [&](Relation relation, TxnId from, TxnId to) {
    return against(history, SketchKind::kLists, {.from = from, .to = to, .relation = relation}) ==
           "";
  };
  CHECK(holds(Relation::kProcess, first, second));
  CHECK_FALSE(holds(Relation::kProcess, second, first));
  CHECK_FALSE(holds(Relation::kProcess, first, overlapping));
  CHECK(holds(Relation::kProcess, first, unknown));
  CHECK_FALSE(holds(Relation::kProcess, unknown, after_unknown));
  CHECK(holds(Relation::kRealtime, first, overlapping));
  CHECK(holds(Relation::kRealtime, first, unknown));
  CHECK_FALSE(holds(Relation::kRealtime, second, overlapping));
  CHECK_FALSE(holds(Relation::kRealtime, overlapping, second));
  CHECK_FALSE(holds(Relation::kRealtime, unknown, first));
  CHECK_FALSE(holds(Relation::kRealtime, unknown, after_unknown));
}

TEST_CASE("certify: histories without real time give no real-time steps") {
  HistoryBuilder builder;
  const MopInput write{.kind = OpKind::kWrite, .key = builder.key(v(1)), .value = v(1)};
  REQUIRE(builder.add_transaction({.session = 0, .mops = {&write, 1}}).ok());
  REQUIRE(builder.add_transaction({.session = 0, .mops = {&write, 1}}).ok());
  HistoryInfo info;
  info.has_real_time = false;
  const Result<History> history = std::move(builder).build(std::move(info));
  REQUIRE(history.ok());
  const auto holds = [&](Relation relation) {
    return against(history.value(), SketchKind::kRegisters,
                   {.from = TxnId{0}, .to = TxnId{1}, .relation = relation}) == "";
  };
  CHECK(holds(Relation::kProcess));
  CHECK_FALSE(holds(Relation::kRealtime));
}

// Registers.

struct Registers {
  HistorySketch sketch{SketchKind::kRegisters};
  TxnId one = sketch.ok(0, "wy9 wx1");
  TxnId two = sketch.ok(0, "ry9 rx1 wx2");
  TxnId reader = sketch.ok(1, "ry9 rx2");
  TxnId three = sketch.ok(1, "wx3");
  TxnId nil_reader = sketch.ok(2, "rx_");
  KeyId x = sketch.key('x');
  KeyId z = sketch.key('z');
  History history = sketch.build();

  Step ww(TxnId from, std::int64_t before, TxnId to, std::int64_t after) const {
    const auto last = [this](TxnId txn) {
      return static_cast<std::int32_t>(history.ops(txn).size()) - 1;
    };
    return elapid::ww(from, to, x, v(before), v(after), last(from), last(to));
  }

  bool holds(const Step& step, const Assumptions& assumptions = {}) const {
    return against(history, SketchKind::kRegisters, step, assumptions) == "";
  }
};

TEST_CASE("certify: wr of registers joins the last write and the first read") {
  const Registers registers;
  const Step step = wr(registers.two, registers.reader, registers.x, v(2), 2, 1);
  check_corruptions(registers.history, SketchKind::kRegisters, step);
  check_relation(registers.history, SketchKind::kRegisters, step);
}

TEST_CASE("certify: writes and reads within a transaction are no register's versions") {
  HistorySketch sketch(SketchKind::kRegisters);
  const TxnId writer = sketch.ok(0, "wx1 wx2");
  const TxnId reader = sketch.ok(1, "wx3 rx1");
  const TxnId outside = sketch.ok(2, "rx1");
  const TxnId inside = sketch.ok(3, "wx4 rx2");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const auto against_wr = [&](std::int64_t value, std::int32_t from_mop, TxnId to,
                              std::int32_t to_mop) {
    return against(history, SketchKind::kRegisters, wr(writer, to, x, v(value), from_mop, to_mop));
  };
  CHECK_THAT(against_wr(1, 0, outside, 0), Contains("does not leave behind 1"));
  CHECK_THAT(against_wr(1, 0, reader, 1), Contains("does not leave behind 1"));
  CHECK_THAT(against_wr(2, 1, inside, 1), Contains("does not find 2"));
}

TEST_CASE("certify: a register's versions follow the initial state") {
  const Registers registers;
  Step step = rw(registers.nil_reader, registers.three, registers.x, ValueId::nil(), v(3), 0, 0);
  check_corruptions(registers.history, SketchKind::kRegisters, step);
  check_relation(registers.history, SketchKind::kRegisters, step);
  step.value = ValueId::none();
  CHECK(registers.holds(step));
}

TEST_CASE("certify: an initial value that a transaction writes has no certain place") {
  HistorySketch sketch(SketchKind::kRegisters);
  const TxnId nil_reader = sketch.ok(0, "rx_");
  const TxnId writer = sketch.ok(1, "wx1");
  sketch.ok(2, "wx_");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  CHECK_THAT(against(history, SketchKind::kRegisters,
                     rw(nil_reader, writer, x, ValueId::nil(), v(1), 0, 0)),
             Contains("under the assumptions made"));
}

TEST_CASE("certify: register versions in the order of --wfr-keys") {
  const Registers registers;
  const Step step = registers.ww(registers.one, 1, registers.two, 2);
  CHECK_FALSE(registers.holds(step));
  CHECK_THAT(against(registers.history, SketchKind::kRegisters, step),
             Contains("under the assumptions made"));
  check_corruptions(registers.history, SketchKind::kRegisters, step, {.wfr_keys = true});
  CHECK_FALSE(
      registers.holds(registers.ww(registers.two, 2, registers.three, 3), {.wfr_keys = true}));
}

TEST_CASE("certify: register versions in the order of --sequential-keys") {
  const Registers registers;
  const Assumptions sequential{.sequential_keys = true};
  CHECK(registers.holds(registers.ww(registers.one, 1, registers.two, 2), sequential));
  CHECK(registers.holds(registers.ww(registers.two, 2, registers.three, 3), sequential));
  CHECK_FALSE(registers.holds(registers.ww(registers.one, 1, registers.three, 3), sequential));
  CHECK_FALSE(registers.holds(registers.ww(registers.three, 3, registers.two, 2), sequential));
}

TEST_CASE("certify: register versions in the order of --linearizable-keys") {
  const Registers registers;
  const Assumptions linearizable{.linearizable_keys = true};
  CHECK(registers.holds(registers.ww(registers.one, 1, registers.three, 3), linearizable));
  CHECK_FALSE(registers.holds(registers.ww(registers.three, 3, registers.one, 1), linearizable));

  HistorySketch sketch(SketchKind::kRegisters);
  sketch.invoke(0, "wx1");
  sketch.invoke(1, "wx2");
  const TxnId one = sketch.complete(EventType::kOk, 0, "wx1");
  const TxnId two = sketch.complete(EventType::kOk, 1, "wx2");
  const KeyId x = sketch.key('x');
  const History overlapping = sketch.build();
  CHECK(against(overlapping, SketchKind::kRegisters, ww(one, two, x, v(1), v(2), 0, 0),
                linearizable) != "");
}

TEST_CASE("certify: register versions in the order of transactions") {
  const Registers registers;
  const auto index = [&](TxnId txn) { return registers.history.representative(txn).index; };
  const Assumptions order{
      .transaction_order = {{index(registers.one), 20}, {index(registers.three), 10}}};
  CHECK(registers.holds(registers.ww(registers.three, 3, registers.one, 1), order));
  CHECK_FALSE(registers.holds(registers.ww(registers.one, 1, registers.three, 3), order));
  CHECK_FALSE(registers.holds(registers.ww(registers.one, 1, registers.two, 2), order));
}

}  // namespace
}  // namespace elapid
