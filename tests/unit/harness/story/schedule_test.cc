#include "harness/story/schedule.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/support/random_history.h"

namespace elapid {
namespace {

/// `b0 0.0 e0`: beginnings, operations and ends by transaction.
std::string order_of(const History& history, const std::vector<Step>& steps = {}) {
  std::string text;
  for (const StoryMoment& moment : schedule(history, steps)) {
    const std::string txn = std::to_string(moment.txn.value);
    text += text.empty() ? "" : " ";
    text += moment.kind == StoryMoment::Kind::kBegin ? "b" + txn
            : moment.kind == StoryMoment::Kind::kEnd ? "e" + txn
                                                     : txn + "." + std::to_string(moment.mop);
  }
  return text;
}

TEST_CASE("a value is read once its writer has committed") {
  CHECK(order_of(list_history("0> ax1; 1> rx1; 1+ rx1; 0+ ax1")) == "b0 b1 1.0 e1 0.0 e0");
}

TEST_CASE("a write that was not seen comes later") {
  CHECK(order_of(list_history("0> ax1; 1> rx; 0+ ax1; 1+ rx")) == "b0 b1 1.0 e1 0.0 e0");
}

TEST_CASE("what happened earlier in real time stays earlier") {
  CHECK(order_of(list_history("0 ax1; 1 rx")) == "b0 0.0 e0 b1 1.0 e1");
}

TEST_CASE("an aborted write is read before it is undone") {
  CHECK(order_of(list_history("0> ax1; 1> rx1; 0- ax1; 1+ rx1")) == "b0 0.0 b1 1.0 e1 e0");
}

TEST_CASE("an intermediate write is read before the next one") {
  CHECK(order_of(register_history("0> wx1 wx2; 1> rx1; 0+ wx1 wx2; 1+ rx1")) ==
        "b0 0.0 b1 1.0 e1 0.1 e0");
}

TEST_CASE("a schedule has every moment once, in each transaction's order") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const History history = build(random_history(Workload::kListAppend, seed, Variety::kLarge));
    const std::vector<StoryMoment> moments = schedule(history, {});
    std::size_t count = 0;
    for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
      std::vector<StoryMoment> own;
      std::ranges::copy_if(moments, std::back_inserter(own),
                           [t](const StoryMoment& moment) { return moment.txn == TxnId{t}; });
      count += own.size();
      REQUIRE(own.size() == history.ops({t}).size() + (history.has_completion({t}) ? 2 : 1));
      for (std::uint32_t m = 0; m < history.ops({t}).size(); ++m) {
        CHECK(own[m + 1] == StoryMoment{.kind = StoryMoment::Kind::kOp, .txn = {t}, .mop = m});
      }
    }
    CHECK(count == moments.size());
  }
}

}  // namespace
}  // namespace elapid
