#include "engine/certify/orders/witness.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "engine/ir/share_work.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"
#include "tests/unit/engine/certify/evidence_notation.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

std::string against(const History& history, OrderLevel level, const std::string& order,
                    const std::string& reads = "") {
  return check_witness(history, level, parse_witness(history, order, reads)).value_or("");
}

std::string registers(std::string_view text, OrderLevel level, const std::string& order,
                      const std::string& reads = "") {
  return against(register_history(text), level, order, reads);
}

std::string lists(std::string_view text, OrderLevel level, const std::string& order) {
  return against(list_history(text), level, order);
}

TEST_CASE("witness: told to stop, it looks no further and says so") {
  std::string text;
  Witness witness;
  for (std::uint32_t t = 0; t < 100; ++t) {
    text += "wx1; ";
    witness.order.push_back({TxnId{t}, true});
  }
  witness.order.push_back({TxnId{100}, true});
  const History history = register_history(text + "rx2");  // which no transaction wrote
  std::size_t questions = 0;
  const auto reason =
      check_witness(history, kSerializable, witness, {}, [&] { return ++questions < 3; });
  CHECK_THAT(reason.value_or(""), Contains("told to stop"));
  CHECK(questions == 3);
  CHECK_THAT(check_witness(history, kSerializable, witness, {}, [] { return true; }).value_or(""),
             Contains("would not read"));
}

TEST_CASE("witness: threads that catch up seldom ask, and the first flaw counts") {
  constexpr std::uint32_t kTxns = 8000;
  std::string text;
  Witness witness;
  for (std::uint32_t t = 0; t < kTxns; ++t) {
    text += t == 0 ? "" : "; ";
    text += t == 3000 || t == kTxns - 1 ? "rx2" : "wx1";
    witness.order.push_back({TxnId{t}, true});
  }
  const History history = register_history(text);
  const auto alone = check_witness(history, kSerializable, witness, {}, {});
  CHECK_THAT(alone.value_or(""), Contains("would not read"));
  const WorkThreads threads_here(3, 1);
  for (int i = 0; i < 10; ++i) {
    CHECK(check_witness(history, kSerializable, witness, {}, {}) == alone);
  }
  std::size_t questions = 0;
  const auto ask = [&] { return ++questions > 0; };
  text.replace(text.find("rx2"), 3, "rx1");
  CHECK(check_witness(register_history(text), kSerializable, witness, {}, ask).has_value());
  CHECK(questions <= kTxns / 16 + 50);
}

TEST_CASE("witness: each transaction once, start before commit") {
  CHECK(registers("", kSerializable, "") == "");
  const std::string_view text = "wx1; wy1; -wx2; ?wy3";
  CHECK(registers(text, kSerializable, "0 1") == "");
  CHECK(registers(text, kSerializable, "1 3 0") == "");
  CHECK_THAT(registers(text, kSerializable, "0"), Contains("is not in the order"));
  CHECK_THAT(registers(text, kSerializable, "0 1 0"), Contains("twice"));
  CHECK_THAT(registers(text, kSerializable, "0 1 2"), Contains("aborted"));
  CHECK_THAT(registers(text, kSerializable, "0 1 9"), Contains("no transaction number 9"));
  CHECK_THAT(registers(text, kSerializable, "0s 0c 1"), Contains("serial order"));
  CHECK(registers(text, kSnapshotIsolation, "0s 1s 0c 1c") == "");
  CHECK_THAT(registers(text, kSnapshotIsolation, "0s 0c 1c"), Contains("one of its two events"));
  CHECK_THAT(registers(text, kSnapshotIsolation, "0s 0c 1s"), Contains("committed and is not"));
  CHECK_THAT(registers(text, kSnapshotIsolation, "0s 0c 1s 1c 3s"), Contains("one of its two"));
  CHECK_THAT(registers(text, kSnapshotIsolation, "0c 0s 1s 1c"), Contains("before it starts"));
  CHECK_THAT(registers(text, kSnapshotIsolation, "0s 0s 0c 1s 1c"), Contains("twice"));
}

TEST_CASE("witness: no other order of a chain holds") {
  std::string order = "0 1 2 3 4";
  std::string words = "01234";
  do {
    for (std::size_t i = 0; i < words.size(); ++i) {
      order[2 * i] = words[i];
    }
    INFO(order);
    const std::string flaw =
        registers("rx_ wx1; rx1 wx2; rx2 wx3; rx3 wx4; rx4", kSerializable, order);
    CHECK((flaw == "") == (words == "01234"));
  } while (std::next_permutation(words.begin(), words.end()));
}

TEST_CASE("witness: sessions and real time, where the level has them") {
  const std::string_view in_session = "0 wx1; 0 rx_";
  CHECK(registers(in_session, kSerializable, "1 0") == "");
  CHECK_THAT(registers(in_session, kSessionSerializable, "1 0"), Contains("session"));
  const std::string_view stale = "0 wx1; 1 rx_";
  CHECK(registers(stale, kSessionSerializable, "1 0") == "");
  CHECK_THAT(registers(stale, kStrictSerializable, "1 0"), Contains("completed before"));
  CHECK(registers(stale, kSessionSnapshotIsolation, "1s 0s 0c 1c") == "");
  CHECK_THAT(registers(stale, kStrongSnapshotIsolation, "1s 0s 0c 1c"),
             Contains("completed before"));
  const std::string_view overlapping = "0> wx1; 1 rx_; 0+ wx1";
  CHECK(registers(overlapping, kStrictSerializable, "0 1") == "");
  // An indeterminate transaction may take effect at any later time, but not earlier.
  CHECK(registers("0? wx1; 1 rx_; 2 rx1", kStrictSerializable, "1 0 2") == "");
  CHECK(registers("1 rx1; 0? wx1", kSessionSerializable, "1 0") == "");
  CHECK_THAT(registers("1 rx1; 0? wx1", kStrictSerializable, "1 0"), Contains("completed before"));
  CHECK_THAT(registers("0 wx1; 0? wx2; 1 rx1", kSessionSerializable, "1 0 2"),
             Contains("in its session"));
}

TEST_CASE("witness: a history without real time shows none") {
  const History trace =
      build_trace(parse_tiny(Workload::kRwRegister, "0 wx1; 1 rx1"), TinyTraceForm{});
  CHECK(against(trace, kSessionSerializable, "0 1") == "");
  CHECK_THAT(against(trace, kStrictSerializable, "0 1"), Contains("no real time"));
}

TEST_CASE("witness: the initial transaction comes first") {
  const History trace = build_trace(parse_tiny(Workload::kRwRegister, "0 wx1 wy1; 1 rx_ ry_"),
                                    {.has_times = false, .has_initial_txn = true});
  REQUIRE(trace.info().initial_txn == TxnId{0});
  CHECK(against(trace, kSerializable, "0 2 1") == "");
  CHECK_THAT(against(trace, kSerializable, "2 0 1"), Contains("does not come first"));
  CHECK(against(trace, kSnapshotIsolation, "0s 0c 1s 2s 1c 2c") == "");
  CHECK_THAT(against(trace, kSnapshotIsolation, "0s 1s 0c 2s 1c 2c"),
             Contains("does not come first"));
}

TEST_CASE("witness: writers of a key do not overlap at snapshot isolation") {
  const std::string_view text = "rx_ wx1; rx_ wx2";
  const std::string order = "0s 1s 0c 1c";
  CHECK(registers(text, kPrefixConsistency, order) == "");
  CHECK_THAT(registers(text, kSnapshotIsolation, order), Contains("overlap"));
  CHECK(registers("wx1; wx2", kSnapshotIsolation, "0s 0c 1s 1c") == "");
  CHECK_THAT(registers("wx1; wx2", kSnapshotIsolation, "0s 1s 1c 0c"), Contains("overlap"));
  CHECK(registers("wx1 wx2; rx2", kSnapshotIsolation, "0s 0c 1s 1c") == "");
}

TEST_CASE("witness: snapshots are taken at the start") {
  const std::string_view skew = "rx_ wy1; ry_ wx1";
  CHECK(registers(skew, kSnapshotIsolation, "0s 1s 0c 1c") == "");
  CHECK_THAT(registers(skew, kSnapshotIsolation, "0s 0c 1s 1c"), Contains("would not read key :y"));
  CHECK_THAT(registers(skew, kSerializable, "0 1"), Contains("would not read key :y"));
}

TEST_CASE("witness: registers hold what was written last, or the initial value") {
  CHECK(registers("wx1; wx2; rx1", kSerializable, "1 0 2") == "");
  CHECK(registers("wx1; wx2; rx1", kSerializable, "0 1 2") != "");
  CHECK(registers("wx1 rx1 wx2 rx2; rx2", kSnapshotIsolation, "0s 0c 1s 1c") == "");
  CHECK(registers("wx1 rx_; rx1", kSerializable, "0 1") != "");
  CHECK(registers("wx1 wx2; rx1", kSerializable, "0 1") != "");
  const History trace =
      build_trace(parse_tiny(Workload::kRwRegister, "0 wx0; 1 rx0; 2 wx1"), TinyTraceForm{});
  CHECK(against(trace, kSerializable, "1 0 2") == "");
  CHECK(against(trace, kSerializable, "2 0 1") == "");
  CHECK(against(trace, kSerializable, "2 1 0") != "");
}

TEST_CASE("witness: what an indeterminate transaction was invoked with counts") {
  CHECK(registers("0> wx1 ry_; 0?; rx1", kSerializable, "0 1") == "");
  CHECK(registers("0> wx1 ry_; 0?; rx1", kSerializable, "1") != "");
  CHECK(registers("?rx_ wx1; wx2; rx1", kSerializable, "1 0 2") == "");
  CHECK(registers("?rx5 wx1; rx1", kSerializable, "0 1") != "");
}

TEST_CASE("witness: lists hold exactly what was appended") {
  const std::string_view text = "ax1; ax2; rx12 ax3 rx123; rx";
  CHECK(lists(text, kSerializable, "3 0 1 2") == "");
  CHECK(lists(text, kSerializable, "3 1 0 2") != "");
  CHECK(lists(text, kSerializable, "0 1 2 3") != "");
  CHECK(lists(text, kSerializable, "3 0 2 1") != "");
  CHECK(lists("ax1; rx_; rx1", kSerializable, "1 0 2") == "");
  CHECK(lists("ax1; rx_; rx1", kSerializable, "0 1 2") != "");
  // A list that is no prefix of the longest, which an aborted transaction read.
  const std::string_view branches = "-rx4567; ax1; rx1; ax2; rx12; rx1";
  CHECK(lists(branches, kSerializable, "1 2 5 3 4") == "");
  CHECK(lists(branches, kSerializable, "1 2 3 4 5") != "");
  CHECK(lists("ax1 rx1 ax2 rx12; rx12; rx", kSnapshotIsolation, "2s 0s 0c 1s 1c 2c") == "");
  CHECK(lists("ax1 rx1; ax2 rx2; rx12", kPrefixConsistency, "0s 1s 0c 1c 2s 2c") == "");
}

TEST_CASE("witness: what is said of reads is so") {
  const std::string_view text = "wx1; wx1; rx1; ry_";
  CHECK(registers(text, kSerializable, "0 1 2 3", "2x1 3y_") == "");
  CHECK(registers(text, kSerializable, "1 0 2 3", "3y_ 2x0") == "");
  for (const char* const wrong : {"2x0", "2x_", "3y0", "3x1", "2y_", "9x1", "2x9", "2x1 2x0"}) {
    INFO(wrong);
    CHECK(registers(text, kSerializable, "0 1 2 3", wrong) != "");
  }
  CHECK(registers("?wx1; rx_; ?rx1", kSerializable, "1", "2x0") != "");
}

}  // namespace
}  // namespace elapid
