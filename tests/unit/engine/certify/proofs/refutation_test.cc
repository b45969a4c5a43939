#include "engine/certify/proofs/refutation.h"

#include <catch2/catch.hpp>
#include <string>

#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"
#include "tests/unit/engine/certify/evidence_notation.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

/// A history with the model of its data.
struct Judged {
  Workload model;
  History history;

  [[nodiscard]] std::string against(OrderLevel level, const Refutation& refutation) const {
    return check_refutation(history, level, refutation).value_or("");
  }

  [[nodiscard]] std::string against(OrderLevel level, const std::string& steps) const {
    return against(level, parse_refutation(history, steps));
  }
};

Judged registers(std::string_view text) {
  return {Workload::kRwRegister, register_history(text)};
}

Judged lists(std::string_view text) {
  return {Workload::kListAppend, list_history(text)};
}

TEST_CASE("refutation: it ends in a contradiction") {
  const Judged any = registers("wx1; rx1");
  CHECK_THAT(any.against(kSerializable, Refutation()), Contains("does not end"));
  CHECK_THAT(any.against(kSerializable, "0<1"), Contains("does not end"));
  const Judged aborted = lists("-ax1; ax2; rx2");
  CHECK_THAT(aborted.against(kSerializable, "| 0rw1x_ 1rw0x_"), Contains("did not take effect"));
  CHECK_THAT(aborted.against(kSerializable, "| 7rw1x_ 1rw7x_"), Contains("does not exist"));
  CHECK_THAT(any.against(kSerializable, Refutation{{ProofStep{}}}), Contains("does not follow"));
}

TEST_CASE("refutation: told to stop, it looks no further and says so") {
  const History history = register_history("rx_ wy1; ry_ wx1");
  const Refutation proof = parse_refutation(history, " | 0rw1x_ 1rw0y_");
  CHECK(check_refutation(history, kSerializable, proof, {}, [] { return true; }).value_or("") ==
        "");
  std::size_t questions = 0;
  const auto reason = check_refutation(history, kSerializable, proof, {}, [&] {
    ++questions;
    return false;
  });
  CHECK_THAT(reason.value_or(""), Contains("told to stop"));
  CHECK(questions == 1);
}

TEST_CASE("refutation: of two writers that may be exchanged the order need not be known") {
  const std::string ring = " | 0ww1y 1rw2y_ 2ww3x 3rw0x_";
  const Judged both = registers(
      "0> rx_ ry_ wy1; 1> ry_ wy2; 2> rx_ ry_ wx1; 3> rx_ ry_ wx2; "
      "0+ rx_ ry_ wy1; 1+ ry_ wy2; 2+ rx_ ry_ wx1; 3+ rx_ ry_ wx2");
  CHECK(both.against(kSnapshotIsolation, " | 0ww1y 1rw0y_") == "");
  CHECK(both.against(kSnapshotIsolation, " | 2ww3x 3rw2x_") == "");
  CHECK_THAT(both.against(kPrefixConsistency, " | 0ww1y 1rw0y_"), Contains("need not come before"));
  CHECK_THAT(both.against(kSerializable, ring), Contains("need not"));

  const Judged crossed = registers(
      "0> rx_ wy1; 1> rx_ wy2; 2> ry_ wx1; 3> ry_ wx2; "
      "0+ rx_ wy1; 1+ rx_ wy2; 2+ ry_ wx1; 3+ ry_ wx2");
  const std::string crossing = " | 0ww1y 1rw2x_ 2ww3x 3rw0y_";
  CHECK(crossed.against(kSnapshotIsolation, crossing) == "");
  CHECK(crossed.against(kSessionSnapshotIsolation, crossing) == "");
  CHECK_THAT(crossed.against(kPrefixConsistency, crossing), Contains("need not come before"));
  for (const char* const wrong :
       {" | 0ww1y 1rw2x_", " | 0ww0y 0rw2x_ 2ww3x 3rw0y_", " | 0ww1y 1rw2x_ 2ww3x 3rw1y_",
        " | 0ww2y 2rw2x_", " | 0ww1x 1rw2x_ 2ww3x 3rw0y_", " | 0ww1y 0rw2x_ 2ww3x 3rw0y_",
        " | 0ww1y 1rw2x0 2ww3x 3rw0y_"}) {
    INFO(wrong);
    CHECK(crossed.against(kSnapshotIsolation, wrong) != "");
  }

  const Judged one_sees = registers(  // 0 does not read x: it may come first
      "0> wy1; 1> rx_ wy2; 2> ry_ wx1; 3> ry_ wx2; 0+ wy1; 1+ rx_ wy2; 2+ ry_ wx1; 3+ ry_ wx2");
  CHECK(one_sees.against(kSnapshotIsolation, crossing) != "");
  const Judged one_writes_another = registers(  // 0 writes z: it may overlap with 1
      "0> rx_ wz1; 1> rx_ wy2; 2> ry_ wx1; 3> ry_ wx2; "
      "0+ rx_ wz1; 1+ rx_ wy2; 2+ ry_ wx1; 3+ ry_ wx2");
  CHECK(one_writes_another.against(kSnapshotIsolation, crossing) != "");
}

TEST_CASE("refutation: a cycle of certain edges") {
  const Judged stale = registers("0 wx1; 0 rx_");
  CHECK(stale.against(kSessionSerializable, " | 0so1 1rw0x_") == "");
  CHECK(stale.against(kSessionSnapshotIsolation, " | 0so1 1rw0x_") == "");
  CHECK_THAT(stale.against(kSerializable, " | 0so1 1rw0x_"), Contains("does not know sessions"));
  CHECK(stale.against(kStrictSerializable, " | 0rt1 1rw0x_") == "");
  CHECK_THAT(stale.against(kSessionSerializable, " | 0rt1 1rw0x_"), Contains("real time"));
  for (const char* const wrong :
       {" | 0so1", " | 1so0 0rw1x_", " | 0so1 1rw0x0", " | 0so1 1rw1x_", " | 1rw0x_ 1rw0x_",
        " | 0so1 1wr0x", " | 0so1 1ww0x", " | 0wr1x 1rw0x_", " | 0so1 1rw9x_", " | 9so1 1rw9x_",
        " | 0so0", " | 0rt0"}) {
    INFO(wrong);
    CHECK(stale.against(kSessionSerializable, wrong) != "");
  }
}

TEST_CASE("refutation: walks of events by the level") {
  const Judged skew = registers("rx_ wy1; ry_ wx1");
  CHECK(skew.against(kSerializable, " | 0rw1x_ 1rw0y_") == "");
  CHECK_THAT(skew.against(kSnapshotIsolation, " | 0rw1x_ 1rw0y_"), Contains("does not lead"));
  const Judged lost = registers("rx_ wx1; rx_ wx2");
  CHECK(lost.against(kSnapshotIsolation, "0<1 | 1ww0x 0rw1x_; | 0ww1x 1rw0x_") == "");
  CHECK(lost.against(kPrefixConsistency, "0<1 | 1ww0x 0rw1x_; | 0ww1x 1rw0x_") != "");
  const Judged fork = registers("wx1; wy1; rx1 ry_; rx_ ry1");
  CHECK(fork.against(kPrefixConsistency, " | 0wr2x 2rw1y_ 1wr3y 3rw0x_") == "");
  CHECK(fork.against(kSnapshotIsolation, " | 0wr2x 2rw1y_ 1wr3y 3rw0x_") == "");
  CHECK(fork.against(kSerializable, " | 0wr2x 2rw1y_ 1wr3y 3rw0x_") == "");
  CHECK(fork.against(kSerializable, " | 0wr2x 2rw1y_ 1wr3y") != "");
}

TEST_CASE("refutation: the order of two writers is one way or the other") {
  const Judged wrong_order = registers("0 wx1; 0 wx2; 1 rx2; 1 rx1");
  // If 0 came before 1, 3 would read what 1 overwrote; if not, the session is violated.
  const std::string proof = "1<0 | 2so3 3rw1x0 1wr2x; | 0so1 1ww0x";
  CHECK(wrong_order.against(kSessionSerializable, proof) == "");
  CHECK(wrong_order.against(kSessionSerializable, "1<0 | 2so3 3rw1x0 1wr2x; 0<1 | 0so1 1ww0x;;") ==
        "");
  CHECK(wrong_order.against(kSessionSerializable, "| 0so1 1ww0x") != "");
  CHECK(wrong_order.against(kSessionSerializable, "| 2so3 3rw1x0 1wr2x") != "");
  CHECK(wrong_order.against(kSerializable, proof) != "");
  // Clauses that hold anyway prove nothing.
  CHECK(wrong_order.against(kSessionSerializable, "0<1 1<0;;") != "");
}

/// How many proofs that are like this one but for one change are accepted.
std::size_t accepted_mutants(const Judged& in, OrderLevel level, const Refutation& proof) {
  std::size_t accepted = 0;
  const auto test = [&](auto change) {
    Refutation mutant = proof;
    change(mutant);
    accepted += in.against(level, mutant) == "" ? 1U : 0U;
  };
  for (std::size_t s = 0; s < proof.steps.size(); ++s) {
    test([&](Refutation& m) { m.steps.erase(m.steps.begin() + static_cast<std::ptrdiff_t>(s)); });
    for (std::size_t e = 0; e < proof.steps[s].cycle.size(); ++e) {
      const auto edge = [s, e](Refutation& m) -> OrderEdge& { return m.steps[s].cycle[e]; };
      test([&](Refutation& m) { std::swap(edge(m).from, edge(m).to); });
      test([&](Refutation& m) { edge(m).to = TxnId{99}; });
      test([&](Refutation& m) { edge(m).from = TxnId::none(); });
      test([&](Refutation& m) {
        m.steps[s].cycle.erase(m.steps[s].cycle.begin() + static_cast<std::ptrdiff_t>(e));
      });
      if (proof.steps[s].cycle[e].relation == Relation::kRw) {
        test([&](Refutation& m) { edge(m).overwritten = edge(m).to; });
      }
      if (proof.steps[s].cycle[e].relation <= Relation::kRw) {
        test([&](Refutation& m) { edge(m).key = KeyId{99}; });
        test([&](Refutation& m) { edge(m).relation = Relation::kProcess; });
      }
    }
    for (std::size_t c = 0; c < proof.steps[s].clause.size(); ++c) {
      test([&](Refutation& m) { m.steps[s].clause[c].holds ^= true; });
      test([&](Refutation& m) { m.steps[s].clause[c].first = TxnId{99}; });
      test([&](Refutation& m) {
        m.steps[s].clause.erase(m.steps[s].clause.begin() + static_cast<std::ptrdiff_t>(c));
      });
    }
  }
  return accepted;
}

TEST_CASE("refutation: no single change of a proof is accepted") {
  const Judged fork = registers("wx1; wy1; rx1 ry_; rx_ ry1");
  CHECK(accepted_mutants(fork, kSnapshotIsolation,
                         parse_refutation(fork.history, "| 0wr2x 2rw1y_ 1wr3y 3rw0x_")) == 0);
  const Judged order = registers("0 wx1; 0 wx2; 1 rx2; 1 rx1");
  CHECK(accepted_mutants(
            order, kSessionSerializable,
            parse_refutation(order.history, "1<0 | 2so3 3rw1x0 1wr2x; | 0so1 1ww0x")) == 0);
}

TEST_CASE("refutation: one of the sources of a read it is") {
  // Whichever served the read, the write to y comes after it.
  const Judged either = registers("0 wx1 wy1; 1 wx1 wy1; 2 rx1 ry_");
  CHECK(either.against(kSnapshotIsolation, "!2x0 | 0wr2x 2rw0y_; | 1wr2x 2rw1y_") == "");
  CHECK(either.against(kPrefixConsistency, "!2x1 | 1wr2x 2rw1y_; | 0wr2x 2rw0y_") == "");
  CHECK(either.against(kSerializable, "!2x0 | 0wr2x 2rw0y_; !2x1 | 1wr2x 2rw1y_;;") == "");
  CHECK(either.against(kSerializable, "| 0wr2x 2rw0y_") != "");
  CHECK(either.against(kSerializable, "!2x0 | 0wr2x 2rw0y_; | 0wr2x 2rw0y_") != "");
  CHECK(either.against(kSerializable, "!2x0 !2x1;;") != "");
  // At most one it is: while 2 reads from 0, it does not from 1.
  CHECK_THAT(either.against(kSerializable, "!2x0 | 1wr2x 2rw1y_;;"), Contains("step 1: edge 1"));
  CHECK_THAT(either.against(kSerializable, "!2x0 !2x1 ;;"), Contains("step 2"));
  CHECK_THAT(either.against(kSerializable, "2x0 2x1;;"), Contains("step 2"));
  CHECK_THAT(either.against(kSerializable, "2x9;;"), Contains("does not follow"));
  CHECK_THAT(either.against(kSerializable, "0x9;;"), Contains("does not have"));
}

TEST_CASE("refutation: reads that no transaction can have served") {
  CHECK(registers("rx1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
  CHECK(registers("-wx1; rx1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
  CHECK(registers("wx1 wx2; rx1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
  CHECK(registers("rx1 wx1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
  CHECK(registers("?rx1").against(kSerializable, Refutation{{ProofStep{}}}) != "");
  CHECK(registers("?rx1 wy1; ry1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
  CHECK(lists("rx1").against(kSerializable, Refutation{{ProofStep{}}}) == "");
}

TEST_CASE("refutation: indeterminate transactions take effect where they are read") {
  const Judged read = registers("0? wx1 wy1; 1 rx1 ry_");
  CHECK(read.against(kSerializable, "| 0wr1x 1rw0y_") == "");
  const Judged perhaps = registers("0? wx1 wy1; 1 wx1; 2 rx1 ry_");
  CHECK_THAT(perhaps.against(kSerializable, "| 0wr2x 2rw0y_"), Contains("need not have read"));
  CHECK_THAT(perhaps.against(kSerializable, "!2x0 | 0wr2x 2rw0y_;;"), Contains("step 2"));
  const Judged unread = registers("0? wy1; 1 ry_; 2 wy2");
  CHECK_THAT(unread.against(kSerializable, "!+0;;"), Contains("step 2"));
  CHECK_THAT(unread.against(kSerializable, "+0;;"), Contains("step 1"));
}

TEST_CASE("refutation: their reads count if they took effect") {
  const Judged chain = registers("0? wx1 wz1; 1? rx1 wy1; 2 ry1 rz_");
  CHECK(chain.against(kSerializable, "| 0wr1x 1wr2y 2rw0z_") == "");
  CHECK(chain.against(kSnapshotIsolation, "| 0wr1x 1wr2y 2rw0z_") == "");
  const Judged open = registers("0? wx1 wz1; 1? rx1 wy1; 2 wy1; 3 ry1 rz_");
  CHECK_THAT(open.against(kSerializable, "!+1 | 0wr1x 1wr3y 3rw0z_;;"), Contains("step 1"));
  CHECK_THAT(open.against(kSerializable, "!3y1 | 0wr1x 1wr3y 3rw0z_;;"), Contains("step 2"));
  const Judged both = registers("0? wx1 wz1; 1? rx1 wy1; 2? rx1 wy1; 3 ry1 rz_");
  CHECK(both.against(kSerializable, "!3y1 | 0wr1x 1wr3y 3rw0z_; | 0wr2x 2wr3y 3rw0z_") == "");
  CHECK(both.against(kSerializable, "!+0 | 0wr1x 1wr3y 3rw0z_;;") != "");
  CHECK(both.against(kSerializable, "+1 +2;+0;;") != "");
  CHECK_THAT(both.against(kSerializable, "+1 +2;+0;;"), Contains("step 3"));
}

TEST_CASE("refutation: the initial transaction comes before all others") {
  const auto trace = [](std::string_view text) {
    return Judged{Workload::kRwRegister,
                  build_trace(parse_tiny(Workload::kRwRegister, text),
                              {.has_times = false, .has_initial_txn = true})};
  };
  // 1 wrote; 2 saw 1 on x and what the initial transaction wrote on y.
  const Judged fractured = trace("0 wx1 wy1; 1 rx1 ry_");
  CHECK(fractured.against(kSerializable, "| 1wr2x 2rw1y0") == "");
  CHECK(fractured.against(kSerializable, "| 1wr2x 2rw1y_") != "");
  const Judged fine = trace("0 wx1 wy1; 1 rx1 ry1");
  CHECK(fine.against(kSerializable, "| 1ww0x 0so1") != "");
  CHECK_THAT(fine.against(kSerializable, "| 0so2 2rw0x1"), Contains("need not come before"));
  CHECK(fine.against(kSerializable, "1<0 | 0ww1x 1ww0x") != "");
}

TEST_CASE("refutation: lists order their writers") {
  const Judged fork = lists("ax1; ay1; rx1 ry; rx ry1");
  CHECK(fork.against(kSnapshotIsolation, "| 0wr2x 2rw1y_ 1wr3y 3rw0x_") == "");
  const Judged dirty = lists("ax1 ay1; ax2 ay2; rx12; ry21");
  CHECK(dirty.against(kPrefixConsistency, "| 0ww1x 1ww0y") == "");
  CHECK(dirty.against(kSerializable, "| 1ww0x 0ww1y") == "");
  const Judged order = lists("0 ax1; 0 ax2; 1 rx21; 1 rx2");
  CHECK(order.against(kSessionSerializable, "| 0so1 1ww0x") == "");
  CHECK(order.against(kSerializable, "| 0so1 1ww0x") != "");
  const Judged fine = lists("0 ax1; 0 ax2; 1 rx12; 1 rx12");
  CHECK(fine.against(kSessionSerializable, "| 0so1 1ww0x") != "");
  // What a list does not have was appended later.
  const Judged later = lists("0 ax1; 1 ax2; 1 rx1");
  CHECK(later.against(kSessionSerializable, "| 1so2 2rw1x0") == "");
  CHECK(later.against(kSessionSerializable, "| 1ww0x 0wr2x") != "");
  CHECK(later.against(kSerializable, "1<0;;") != "");
  CHECK_THAT(later.against(kSerializable, "0<1;;"), Contains("step 2"));
}

TEST_CASE("refutation: the first element overwrote the initial state") {
  // 1 read nothing of y and appended to x behind 0, which saw what 1 wrote on y.
  const Judged lost = lists("rx ax1; rx ax2; rx12");
  CHECK(lost.against(kSnapshotIsolation, "| 0ww1x 1rw0x_") == "");
  CHECK(lost.against(kPrefixConsistency, "| 0ww1x 1rw0x_") != "");
  // 2 follows 1 on x with nothing between; 0 on y follows 2.
  const Judged between = lists("ax1; ax2 ay1; ax3 ry1; rx132");
  CHECK(between.against(kPrefixConsistency, "| 1wr2y 2ww1x") == "");
  CHECK(between.against(kSerializable, "| 2rw1x0 1wr2y") == "");
  CHECK(between.against(kPrefixConsistency, "| 2rw1x0 1wr2y") == "");
}

TEST_CASE("refutation: own appends are not what others had written") {
  // 0 and 1 each see their own append only; in the end both are there.
  const Judged prefix = lists("ax1 rx1; ax2 rx2; rx12");
  CHECK(prefix.against(kPrefixConsistency, "| 0ww1x 1rw0x_") != "");
  CHECK(prefix.against(kSnapshotIsolation, "| 0ww1x 1rw0x_") == "");
}

TEST_CASE("refutation: lists that no order explains") {
  const Refutation obvious = {{ProofStep{}}};
  CHECK(lists("ax1; ax2; rx12; rx21").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("ax1; -ax2; ax3; rx123").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("ax1; rx11").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("ax1 rx12; ax2").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("ax1 rx_").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("rx ax1; rx rx1; rx1").against(kPrefixConsistency, obvious) == "");
  CHECK(lists("ax1; ax2; rx12; ?rx21").against(kPrefixConsistency, obvious) != "");
  CHECK(lists("ax1; ax1; rx11").against(kPrefixConsistency, obvious) != "");
  CHECK(lists("ax1 rx1 ay1 ax2 rx12; rx12").against(kPrefixConsistency, obvious) != "");
}

TEST_CASE("refutation: registers that contradict their own transaction") {
  const Refutation obvious = {{ProofStep{}}};
  CHECK(registers("wx1 rx_").against(kPrefixConsistency, obvious) == "");
  CHECK(registers("wx1; wx2; rx1 rx2").against(kPrefixConsistency, obvious) == "");
  CHECK(registers("?wx1 rx2 wy1; ry1").against(kPrefixConsistency, obvious) == "");
  CHECK(registers("?wx1 rx2 wy1").against(kPrefixConsistency, obvious) != "");
  CHECK(registers("?wx1 rx_ wy1; ry1").against(kPrefixConsistency, obvious) != "");
  CHECK(registers("rx_ rx_ wx1 rx1 wx2 rx2").against(kPrefixConsistency, obvious) != "");
}

}  // namespace
}  // namespace elapid
