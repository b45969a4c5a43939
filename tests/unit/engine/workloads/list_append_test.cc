// Each anomaly of lists with the smallest history that has it.

#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history_builder.h"
#include "engine/workloads/known_workloads.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

std::string check_lists(std::string_view text, Model model = Model::kPl3,
                        bool elle_compat = false) {
  CheckOptions options{.models = ModelSet{model}};
  options.assumptions.elle_compat = elle_compat;
  return verdict_text(check(list_history(text), options));
}

std::string check_as_elle(std::string_view text, Model model = Model::kPl3) {
  return check_lists(text, model, true);
}

TEST_CASE("lists: what happens one after another is valid") {
  CHECK(check_lists("ax1; rx1 ax2; rx12 ay1 ry1; -ax3; rx12", Model::kPlSs) == "valid");
  CHECK(check_lists("", Model::kPlSs) == "unknown empty-transaction-graph");
  CHECK(check_lists("-ax1", Model::kPlSs) == "unknown empty-transaction-graph");
}

TEST_CASE("lists: internal") {
  CHECK(check_lists("ax1; rx1 rx") == "invalid G-single-item internal");
  CHECK(check_lists("ax1; rx1 ax2 rx1") == "invalid internal");
  CHECK(check_lists("ax1 rx2; ax2") == "invalid internal");
  CHECK(check_lists("rx_ rx ax1 rx1") == "valid");
  CHECK(check_as_elle("rx_ rx ax1; rx1") == "invalid internal");
}

TEST_CASE("lists: G1a and dirty-update") {
  CHECK(check_lists("-ax1; rx1") == "invalid G1a");
  CHECK(check_lists("-ax1; ax2; rx12") == "invalid G1a dirty-update");
  CHECK(check_lists("?ax1; rx1") == "valid");
}

TEST_CASE("lists: G1b") {
  CHECK(check_lists("ax1 ax2; rx1") == "invalid G-single-item G1b");
  CHECK(check_lists("ax1 rx1 ax2; rx12") == "valid");
}

TEST_CASE("lists: garbage-read, where Elle gives up") {
  CHECK(check_lists("rx1") == "invalid garbage-read");
  CHECK(check_as_elle("rx1") == "unknown");
}

TEST_CASE("lists: future-read") {
  CHECK(check_lists("rx1 ax1") == "invalid future-read");
}

TEST_CASE("lists: duplicate-elements and values appended twice") {
  CHECK(check_lists("ax1; rx11") == "invalid duplicate-elements");
  CHECK(check_lists("ax1; ax1; rx11") == "valid");  // the solver's
  CHECK(check_as_elle("ax1; ax1; rx1") == "unknown");
}

TEST_CASE("lists: incompatible-order") {
  CHECK(check_lists("ax1; ax2; rx1; rx2", Model::kPl2).find("incompatible-order") !=
        std::string::npos);
  CHECK(check_lists("ax1; ax2; rx1; rx12", Model::kPl2) == "valid");
}

TEST_CASE("lists: own elements are no versions, but to Elle") {
  constexpr std::string_view kOverlap = "0> ax1 rx_; 1> ax2 rx_; 0+ ax1 rx1; 1+ ax2 rx2";
  CHECK(check_lists(kOverlap, Model::kPl2) == "valid");
  CHECK(check_lists(kOverlap, Model::kPrefix) == "valid");
  CHECK(check_lists(kOverlap, Model::kPlSi).starts_with("invalid"));
  CHECK(check_as_elle(kOverlap, Model::kPl2).find("incompatible-order") != std::string::npos);
  CHECK(check_lists("ax1 ax2; ax3 rx13", Model::kPl2) == "invalid G1b");
}

TEST_CASE("lists: what was invoked and not completed counts for nothing") {
  CHECK(check_lists("0> ax1; 0+ ax2; 1 rx1", Model::kPl2) == "invalid garbage-read");
  CHECK(check_lists("0> ax1 ax2; 0? ax3 ax2; 1 rx12", Model::kPl2) == "invalid garbage-read");
  CHECK(check_lists("0> ax1; 0- ax2; 1 rx1", Model::kPl2) == "invalid G1a");
  CHECK(check_lists("1>; 1? ax1 ax2; 2 rx12", Model::kPlSs) == "valid");
}

TEST_CASE("lists: lost-update") {
  CHECK(check_lists("ax1; rx1 ax2; rx1 ax3; rx123") == "invalid G-single-item lost-update");
}

TEST_CASE("lists: G0") {
  CHECK(check_lists("ax1 ay2; ax2 ay1; rx12 ry12", Model::kPl1) == "invalid G0");
}

TEST_CASE("lists: where longest lists differ, one of them is the order, whichever was read last") {
  for (const std::string_view reads : {"rx12; rx21", "rx21; rx12", "rx12; rx21; rx12"}) {
    CHECK(check_lists("ax1 ay1; ax2 ay2; ry12; " + std::string(reads), Model::kPl1) == "valid");
  }
  for (const std::string_view reads : {"rx123; rx124", "rx124; rx123"}) {
    CHECK(check_lists("ax1 ay1; ax2 ay2; ax3; ax4; ry21; " + std::string(reads), Model::kPl1) ==
          "invalid G0");
  }
}

TEST_CASE("lists: appends behind a long aborted tail each follow what is before it") {
  HistoryBuilder builder;
  builder.key(ValueId::integer(0));
  const auto add = [&](TxnStatus status, const MopInput& mop, std::span<const ValueId> elements) {
    const std::vector<MopInput> mops = {mop};
    REQUIRE(builder.add_transaction(
        {.session = 0, .status = status, .mops = mops, .elements = elements}));
  };
  constexpr std::uint32_t kCount = 100'000;
  std::vector<ValueId> list;
  for (std::uint32_t i = 0; i < 2 * kCount; ++i) {
    const ValueId element = ValueId::integer(i);
    const bool is_shown = i < kCount;
    add(is_shown && i > 0 ? TxnStatus::kAborted : TxnStatus::kCommitted,
        {OpKind::kAppend, KeyId{0}, element}, {});
    if (is_shown) {
      list.push_back(element);
    }
  }
  add(TxnStatus::kCommitted, {.kind = OpKind::kReadList, .key = KeyId{0}, .list_length = kCount},
      list);
  Result<History> history = std::move(builder).build({.workload = Workload::kListAppend});
  REQUIRE(history);
  CHECK(verdict_text(check(history.value(), {.models = ModelSet{Model::kPl1}})) == "valid");
}

TEST_CASE("lists: G1c") {
  CHECK(check_lists("ax1 ry1; ay1 rx1", Model::kPl2) == "invalid G1c");
}

TEST_CASE("lists: G-single-item") {
  CHECK(check_lists("ax1 ay1; rx1 ry", Model::kPlSi) == "invalid G-single-item");
  CHECK(check_lists("ax1 ay1; rx1 ry", Model::kPl2) == "valid");
}

TEST_CASE("lists: G-nonadjacent-item, a long fork") {
  CHECK(check_lists("ax1; ay1; rx1 ry; rx ry1", Model::kPlSi) == "invalid G-nonadjacent-item");
}

TEST_CASE("lists: G2-item, write skew") {
  constexpr std::string_view kWriteSkew = "0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1; rx1 ry1";
  CHECK(check_lists(kWriteSkew, Model::kPl3) == "invalid G2-item");
  CHECK(check_lists(kWriteSkew, Model::kPlSi) == "valid");
}

TEST_CASE("lists: session order") {
  constexpr std::string_view kStale = "0 ax1; 0 rx; 1 rx1";
  CHECK(check_lists(kStale, Model::kStrongSessionSerializable) == "invalid G-single-item-process");
  CHECK(check_lists(kStale, Model::kPl3) == "valid");
  CHECK(check_lists("0 rx1; 0 ax1", Model::kStrongSessionPl2) == "invalid G1c-process");
  CHECK(check_lists("0 ax2; 0 ax1; 1 rx12", Model::kStrongSessionPl1) == "invalid G0-process");
}

TEST_CASE("lists: real time") {
  constexpr std::string_view kStale = "0 ax1; 1 rx; 1 rx1";
  CHECK(check_lists(kStale, Model::kPlSs) == "invalid G-single-item-realtime");
  CHECK(check_lists(kStale, Model::kStrongSessionSerializable) == "valid");
  CHECK(check_lists("rx1; ax1", Model::kStrongPl2) == "invalid G1c-realtime");
  CHECK(check_lists("ax2; ax1; rx12", Model::kStrongPl1) == "invalid G0-realtime");
  CHECK(check_lists("0> ax1; 1 rx_; 0+ ax1; 1 rx1", Model::kPlSs) == "valid");
}

TEST_CASE("lists: indeterminate transactions count once their appends are read") {
  CHECK(check_lists("?ax1 ry1; ay1; rx; rx", Model::kPl3) == "valid");
  CHECK(check_lists("?ax1 ay1; rx1 ry", Model::kPl3) == "invalid G-single-item");
  CHECK(check_lists("0> ax1 ay1; 1 rx1 ry", Model::kPl3) == "invalid G-single-item");
}

TEST_CASE("lists: appends that no read saw follow what was seen") {
  CHECK(check_lists("ax1 ay1; rx ry1; ax2", Model::kPl3) == "invalid G-single-item");
  CHECK(check_lists("ax1; ax2; rx", Model::kPlSs) == "invalid G-single-item-realtime");
}

}  // namespace
}  // namespace elapid
