// Each of Elle's odder rules with the smallest history that shows it. The expected answers come
// from runs of Elle.
#include <catch2/catch.hpp>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history_builder.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

CheckOptions as_elle(Model demanded) {
  CheckOptions options{.models = ModelSet{demanded}};
  options.assumptions.elle_compat = true;
  return options;
}

std::string lists(std::string_view text, Model model = Model::kPl3) {
  return verdict_text(check(list_history(text), as_elle(model)));
}

std::string registers(std::string_view text, Model model = Model::kPl3,
                      Assumptions assumptions = {}) {
  CheckOptions options = as_elle(model);
  assumptions.elle_compat = true;
  options.assumptions = assumptions;
  return verdict_text(check(register_history(text), options));
}

/// A micro-operation with key and value as EDN: the micro-language knows letters and numbers only.
struct EdnMop {
  OpKind kind;
  const char* key;
  std::vector<const char*> values;
};

/// A history of committed transactions, one after another, each of a process of its own.
History sequence(std::initializer_list<std::vector<EdnMop>> txns) {
  HistoryBuilder builder;
  std::int64_t process = 0;
  for (const std::vector<EdnMop>& txn : txns) {
    std::vector<MopInput> mops;
    std::vector<ValueId> elements;
    for (const EdnMop& mop : txn) {
      MopInput input{.kind = mop.kind, .key = builder.key(builder.values().intern(mop.key))};
      input.list_begin = static_cast<std::uint32_t>(elements.size());
      input.list_length = static_cast<std::uint32_t>(mop.values.size());
      for (const char* value : mop.values) {
        elements.push_back(builder.values().intern(value));
      }
      if (mop.kind != OpKind::kReadList) {
        input.value = elements.back();
      }
      mops.push_back(input);
    }
    std::vector<MopInput> invoked = mops;
    std::erase_if(invoked, [](const MopInput& mop) { return mop.kind == OpKind::kReadList; });
    for (const auto& [type, ops] :
         {std::pair(EventType::kInvoke, invoked), std::pair(EventType::kOk, mops)}) {
      const Status status =
          builder.add_event({.type = type, .process = process, .mops = ops, .elements = elements});
      REQUIRE(status.ok());
    }
    ++process;
  }
  Result<History> history = std::move(builder).build({});
  REQUIRE(history);
  return std::move(history.value());
}

constexpr OpKind kR = OpKind::kRead;
constexpr OpKind kW = OpKind::kWrite;
constexpr OpKind kA = OpKind::kAppend;
constexpr OpKind kL = OpKind::kReadList;

TEST_CASE("quirks, lists: of the longest lists Clojure's hash order tells the last") {
  CHECK(lists("ax12 ay1; ax13 ay2; rx13,12 ry12; rx12,13") ==
        "invalid G-single-item G0 incompatible-order");
  CHECK(lists("ax12 ay1; ax13 ay2; rx12,13; rx13,12 ry12") ==
        "invalid G-single-item G0 incompatible-order");
  CHECK(lists("ax4 ay1; ax5 ay2; rx54 ry12; rx45") == "invalid G-single-item incompatible-order");
}

TEST_CASE("quirks, lists: reads of all events tell of dirty updates") {
  CHECK(lists("0> ax1 rx_; 1> rx_ ax2; 1- rx21 ax2; 0+ ax1 rx12", Model::kPl2) ==
        "invalid G1a empty-transaction-graph");
  CHECK(lists("0> ax1 rx_; 1> ax2; 1- ax2; 0+ ax1 rx21", Model::kPl2) ==
        "invalid G1a dirty-update empty-transaction-graph");
}

TEST_CASE("quirks, lists: Elle looks for dirty updates no further than it must") {
  // Of four keys one has a dirty update, and one an element that no completion appended. Elle stops
  // at the latter unless it comes fourth and the former first or second; sequential ignores dirty
  // updates.
  std::vector<std::string> answered;
  for (const char dirty : {'x', 'y', 'z', 'w'}) {
    for (const char unwritten : {'x', 'y', 'z', 'w'}) {
      std::string text = "0> a" + std::string(1, unwritten) + "1";
      for (const char key : {'x', 'y', 'z', 'w'}) {
        const std::string k(1, key);
        text += key == unwritten ? "; a" + k + "2 r" + k + "12"
                : key == dirty   ? "; -a" + k + "1; a" + k + "2 r" + k + "12"
                                 : "; a" + k + "1 r" + k + "1";
      }
      if (dirty != unwritten &&
          !check(list_history(text), as_elle(Model::kSequential)).value().elle_error) {
        answered.push_back({dirty, unwritten});
      }
    }
  }
  REQUIRE(answered.size() == 2);
  CHECK(answered[0][0] != answered[1][0]);
  CHECK(answered[0][1] == answered[1][1]);
}

TEST_CASE("quirks, lists: an append without a completion counts as the only one") {
  CHECK(lists("0> ax1") == "unknown");
  CHECK(lists("0> ax1; 1+ ax2") == "unknown empty-transaction-graph");
  CHECK(lists("0+ ax1; 1+ ry") == "unknown empty-transaction-graph");
}

TEST_CASE("quirks, lists: the last event that went on from an element is G1b's writer") {
  CHECK(lists("0> ax1 rx_ ax2; 0+ ax1 rx1", Model::kPl2) == "invalid G1b empty-transaction-graph");
  CHECK(lists("0> ax1 rx_ ax2; 0+ ax1 rx1 ax2", Model::kPl2) == "unknown empty-transaction-graph");
}

TEST_CASE("quirks, lists: nil and false are no elements, but for who wrote them") {
  const auto verdict = [](std::initializer_list<std::vector<EdnMop>> txns) {
    return verdict_text(check(sequence(txns), as_elle(Model::kPl3)));
  };
  CHECK(verdict({{{kA, ":x", {"nil"}}}, {{kL, ":x", {"nil"}}}}) == "invalid G-single-item");
  CHECK(verdict({{{kA, ":x", {"false"}}}, {{kL, ":x", {"false"}}}}) == "invalid G-single-item");
  CHECK(verdict({{{kA, ":x", {"true"}}}, {{kL, ":x", {"true"}}}}) == "valid");
  CHECK(verdict({{{kA, ":x", {"nil"}}, {kA, ":x", {"1"}}}, {{kL, ":x", {"nil"}}}}) ==
        "invalid G-single-item");  // and not G1b
  CHECK(verdict({{{kA, ":x", {"1"}}},
                 {{kA, ":x", {"nil"}}, {kA, ":x", {"2"}}},
                 {{kL, ":x", {"1", "nil"}}}}) ==
        "invalid G-single-item");  // what ends in nil shows the initial state
}

TEST_CASE("quirks: after a hit Elle skips what the class implies that it searched for") {
  CHECK(lists("0+ rx_ ay2; 0+ ax1 ay1 az2; 1+ ry1; 1+ az1; ry12 rz12",
              Model::kStrongSessionSerializable) ==
        "invalid G-single-item strong-session-PL-1-cycle-exists");
}

TEST_CASE("quirks: one model's bare cycle does not hide another's") {
  CheckOptions options = as_elle(Model::kPl1);
  options.anomalies.set(AnomalyType::kPlSiCycleExists);
  options.assumptions.wfr_keys = true;
  // Two components: a G-single-item, and a cycle of writes that is explained as G1c. None of these
  // types is asked for.
  const History history = register_history("rx3 wx4 wy1; rx3 ry1; wa3 rb4 wb1; wb4 ra3 wa4");
  CHECK(verdict_text(check(history, options)) == "invalid PL-1-cycle-exists PL-SI-cycle-exists");
}

TEST_CASE("quirks, registers: a version read before it is written precedes itself") {
  CHECK(registers("rx1 wx1; rx1", Model::kPl3, {.wfr_keys = true}) == "invalid G-single-item G1c");
  CHECK(registers("rx1 wx1; rx1") == "valid");
}

TEST_CASE("quirks, registers: a transaction that reads its own later write is a cycle in others") {
  CHECK(registers("rx1 wx1", Model::kPlSs) == "valid");
  CHECK(registers("0> rx_; 0+ rx4; 1> ry_ wy8; 0> ry_ wx4; 1+ ry8 wy8; 0+ ry8 wx4", Model::kPlSs) ==
        "invalid G1c");
}

TEST_CASE("quirks, registers: edges that are removed leave their vertices") {
  CHECK(registers("rx_ wx1") == "valid");
  CHECK(registers("rx_ wy1") == "unknown empty-transaction-graph");
}

TEST_CASE("quirks, registers: a read of an own write is G1b if another overwrote the value") {
  CHECK(registers("wx1 wx2; wx1 rx1; rx2", Model::kPl2) == "invalid G1b");
  CHECK(registers("0> wx1 rx_ wx2; 0+ wx1 rx1 wx2; rx2", Model::kPl2) == "valid");
}

TEST_CASE("quirks, registers: of writers with one place in the given order the last is first") {
  // Completions have the indices 1 and 3.
  const std::vector<std::pair<std::int64_t, std::int64_t>> tie = {{1, 5}, {3, 5}};
  const std::vector<std::pair<std::int64_t, std::int64_t>> no_place = {{99, 0}};
  const std::vector<std::pair<std::int64_t, std::int64_t>> given = {{1, 0}, {3, 1}};
  for (const auto& order : {tie, no_place}) {
    CHECK(registers("wx1 wy1; ry1 wx2", Model::kPl3, {.transaction_order = order}) ==
          "invalid G1c");
  }
  CHECK(registers("wx1 wy1; ry1 wx2", Model::kPl3, {.order_is_empty = true}) == "invalid G1c");
  CHECK(registers("wx1 wy1; ry1 wx2", Model::kPl3, {.transaction_order = given}) == "valid");
  CHECK(registers("wx1; wx1", Model::kPl3, {.transaction_order = given}) == "invalid G0");
}

TEST_CASE("quirks, registers: false is the initial version in some places") {
  const auto verdict = [](std::initializer_list<std::vector<EdnMop>> txns,
                          Assumptions assumptions) {
    CheckOptions options = as_elle(Model::kPl3);
    assumptions.elle_compat = true;
    options.assumptions = assumptions;
    return verdict_text(check(sequence(txns), options));
  };
  CHECK(verdict({{{kW, ":x", {"4"}}}, {{kR, ":x", {"false"}}}}, {.linearizable_keys = true}) ==
        "invalid cyclic-versions empty-transaction-graph");
  // A cycle through a write of false, which Elle cannot explain.
  CHECK(verdict({{{kR, ":x", {"nil"}}, {kW, ":y", {"1"}}},
                 {{kR, ":y", {"nil"}}, {kW, ":x", {"false"}}}},
                {}) == "unknown");
  CHECK(verdict(
            {{{kR, ":x", {"nil"}}, {kW, ":y", {"1"}}}, {{kR, ":y", {"nil"}}, {kW, ":x", {"true"}}}},
            {}) == "invalid G2-item");
}

TEST_CASE("quirks, registers: the keys nil and false are never touched before") {
  for (const char* key : {"nil", "false"}) {
    const History history = sequence({{{kW, key, {"79"}}, {kR, key, {"79"}}}, {{kR, key, {"79"}}}});
    CheckOptions options = as_elle(Model::kPl3);
    CHECK(verdict_text(check(history, options)) == "valid");
    options.assumptions.wfr_keys = true;
    CHECK(verdict_text(check(history, options)) == "invalid G-single-item G1c");
  }
  CheckOptions options = as_elle(Model::kPl3);
  options.assumptions.wfr_keys = true;
  CHECK(verdict_text(check(
            sequence({{{kW, ":x", {"79"}}, {kR, ":x", {"79"}}}, {{kR, ":x", {"79"}}}}), options)) ==
        "valid");
}

}  // namespace
}  // namespace elapid
