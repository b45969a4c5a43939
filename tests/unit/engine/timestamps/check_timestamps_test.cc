// One rule a case: what violates it, and what comes close and does not.
#include "engine/timestamps/check_timestamps.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/certify/anomalies/timestamp_violation.h"
#include "tests/support/timed_history.h"

namespace elapid {
namespace {

struct TimedAs {
  Workload model = Workload::kRwRegister;
  ReadPoint point = ReadPoint::kStart;
  std::int64_t skew = 0;
};

std::string text(const History& history, const TimestampEvidence& violation) {
  constexpr std::array<const char*, kTimestampAxiomCount> kAxioms = {
      "int", "ext", "noconflict", "session", "real-time", "start-after-commit"};
  constexpr std::array<const char*, kReadOriginCount> kOrigins = {
      "before", "uncommitted", "after", "intermediate", "aborted", "own-future", "nowhere"};
  std::string out = kAxioms.at(static_cast<std::size_t>(violation.axiom));
  out += " T" + std::to_string(violation.txn.value);
  if (violation.axiom == TimestampAxiom::kExt) {
    out += std::string(" ") + kOrigins.at(static_cast<std::size_t>(violation.origin));
  }
  if (!violation.other.is_none()) {
    out += " T" + std::to_string(violation.other.value);
  }
  if (violation.axiom <= TimestampAxiom::kExt) {
    const ExpectedRead& expected = violation.expected;
    out += " not ";
    if (expected.kind == ExpectedRead::Kind::kScalar) {
      out += history.text(expected.scalar);
    }
    for (const ValueId element : expected.elements) {
      out += history.text(element);
    }
  }
  return out + (violation.within_clock_skew ? " perhaps" : "");
}

/// The violations, which must survive certification, and `?` for a doubt.
std::string found(std::string_view timed, TimedAs how = {}) {
  const History history = build(parse_timed(how.model, timed));
  const TimestampFindings findings = check_timestamps(
      history, {.read_point = how.point, .sessions = true, .clock_skew = how.skew});
  std::string out;
  const certify::Writers writers(history);
  for (const TimestampEvidence& violation : findings.violations) {
    CHECK(certify::check_timestamp_violation(history, writers, violation).value_or("") == "");
    out += (out.empty() ? "" : ", ") + text(history, violation);
  }
  return out + (findings.doubt ? "?" : "");
}

constexpr TimedAs kAtCommit = {.point = ReadPoint::kCommit};
constexpr TimedAs kTimedLists = {.model = Workload::kListAppend};

TEST_CASE("timestamps INT: reads agree with the transaction's own operations") {
  CHECK(found("1-2 0 wx1 rx1 wx2 rx2") == "");
  CHECK(found("1-2 0 wx1 rx_") == "int T0 not 1");
  CHECK(found("1-2 0 rx_ rx_; 3-4 0 rx_ rx5") == "int T1 not nil");
  CHECK(found("1-2 0 rx_ wx1 wx2 rx1") == "int T0 not 2");
  CHECK(found("1-2 0 rx_ rx5 rx5") == "int T0 not nil");  // the second agrees with the first
}

TEST_CASE("timestamps INT: lists hold what was read and appended") {
  CHECK(found("1-2 0 rx ax1 rx1 ax2 ax3 rx123", kTimedLists) == "");
  CHECK(found("1-2 0 rx ax1 rx", kTimedLists) == "int T0 not 1");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2 rx12 ax3 rx13", kTimedLists) == "int T1 not 123");
  CHECK(found("1-2 0 ax1 ax2 rx1", kTimedLists) == "int T0 not 12");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2 rx21", kTimedLists) == "int T1 not 2");
}

TEST_CASE("timestamps EXT: snapshots hold what was committed by their start") {
  CHECK(found("1-2 0 wx1; 3-9 1 rx1; 4-5 0 wx2; 6-7 0 rx2") == "");
  CHECK(found("1-5 0 wx1; 5-6 1 rx1") == "");  // a commit at the time of the start
  CHECK(found("1-5 0 wx1; 4-6 1 rx_") == "");
}

TEST_CASE("timestamps EXT: where the value read comes from") {
  CHECK(found("1-2 0 wx1; 3-4 0 wx2; 5-6 1 rx1") == "ext T2 before T0 not 2");
  CHECK(found("1-2 0 wx1; 5-6 1 rx_") == "ext T1 before not 1");
  CHECK(found("1-5 0 wx1; 3-6 1 rx1") == "ext T1 uncommitted T0 not nil");
  CHECK(found("5-6 0 wx1; 3-4 1 rx1") == "ext T1 after T0 not nil");
  CHECK(found("1-2 0 wx1 wx2; 3-4 1 rx1") == "ext T1 intermediate T0 not 2");
  CHECK(found("1-2 0- wx1; 3-4 1 rx1") == "ext T1 aborted T0 not nil");
  CHECK(found("3-4 1 rx1 wx1") == "ext T0 own-future T0 not nil");
  CHECK(found("3-4 1 rx1") == "ext T0 nowhere not nil");
}

TEST_CASE("timestamps EXT: of several origins the most harmless one") {
  CHECK(found("1-2 0- wx1; 3-4 1 wx1; 5-6 1 wx2; 7-8 1 rx1") == "ext T3 before T1 not 2");
  CHECK(found("1-2 0 wx1; 3-4 1 wx1; 5-6 1 wx2; 7-8 1 rx1") == "ext T3 before T1 not 2");
}

TEST_CASE("timestamps EXT: lists are compared in full") {
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx12", kTimedLists) == "");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx92", kTimedLists) == "ext T2 nowhere not 12");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx1", kTimedLists) == "ext T2 before T0 not 12");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx", kTimedLists) == "ext T2 before not 12");
  CHECK(found("1-2 0 ax1 ax2; 5-6 1 rx1", kTimedLists) == "ext T1 intermediate T0 not 12");
  CHECK(found("1-2 0 ax1; 3-8 0 ax2; 5-6 1 rx12", kTimedLists) == "ext T2 uncommitted T1 not 1");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx21", kTimedLists) == "ext T2 before T1 not 12");
  // The element was appended again, by the reader itself or later: not by whom it was read from.
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx1 ax1", kTimedLists) == "ext T2 before T0 not 12");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx1; 7-8 0 ax1", kTimedLists) ==
        "ext T2 before T0 not 12");
  // Nor by another one that committed before.
  CHECK(found("3-4 0 ax1; 1-2 1 ax1; 5-6 2 ax2; 7-8 3 rx1", kTimedLists) ==
        "ext T3 before T1 not 112");
  CHECK(found("1-2 0 ax1; 3-4 1 ax1 ax1; 7-8 3 rx1", kTimedLists) == "ext T2 before T0 not 111");
  CHECK(found("1-2 0 ax1; 3-4 1 ax1 ax1; 7-8 3 rx11", kTimedLists) ==
        "ext T2 intermediate T1 not 111");
}

TEST_CASE("timestamps EXT: own appends follow what others appended") {
  CHECK(found("1-2 0 ax1; 3-4 1 ax2 rx12", kTimedLists) == "");
  CHECK(found("1-2 0 ax1; 3-4 0 ax2; 5-6 1 ax3 rx13", kTimedLists) == "ext T2 before T0 not 123");
}

TEST_CASE("timestamps NOCONFLICT: each pair of overlapping writers once a key") {
  CHECK(found("1-5 0 wx1; 5-8 1 wx2") == "");
  CHECK(found("1-5 0 wx1; 4-8 1 wx2") == "noconflict T1 T0");
  CHECK(found("1-5 0 wx1; 4-8 1 wy2") == "");
  CHECK(found("1-5 0 wx1 wx2; 4-8 1 wx3 wx4") == "noconflict T1 T0");
  CHECK(found("1-10 0 wx1; 3-5 1 wx2") == "noconflict T0 T1");
  CHECK(found("3-5 1 wx2; 1-10 0 wx1") == "noconflict T1 T0");
  CHECK(found("1-5 0 wx1 wy1; 4-8 1 wx2 wy2") == "noconflict T1 T0, noconflict T1 T0");
  // Not only the version directly before.
  CHECK(found("1-3 0 wx1; 4-5 1 wx2; 2-8 2 wx3") == "noconflict T2 T0, noconflict T2 T1");
  CHECK(found("1-5 0 wx1; 4-8 1 wx2", kAtCommit) == "");
}

TEST_CASE("timestamps SESSION: a session's transactions follow one another") {
  CHECK(found("1-5 0 wx1; 5-6 0 wy1") == "");
  CHECK(found("1-5 0 wx1; 4-6 0 wy1") == "session T1 T0");
  CHECK(found("1-5 0 wx1; 4-6 1 wy1") == "");
  CHECK(found("1-5 0 wx1; 2-9 0- wz1; 4-6 0 wy1") == "session T2 T0");
  CHECK(found("1-5 0 wx1; 4-6 0 wy1", kAtCommit) == "");  // they commit in order
  CHECK(found("1-7 0 wx1; 4-6 0 wy1", kAtCommit) == "session T1 T0");
}

TEST_CASE("timestamps: a start comes before its commit") {
  CHECK(found("5-5 0 wx1") == "");
  CHECK(found("5-2 0 wx1") == "start-after-commit T0");
  CHECK(found("5-2 0 wx1", kAtCommit) == "start-after-commit T0");
}

TEST_CASE("timestamps: serializability reads at the commit") {
  constexpr std::string_view kClockSkew = "1-2 0 wx1 wy1; 3-6 1 rx1 wy2; 4-7 2 ry1 wx2";
  CHECK(found(kClockSkew) == "");
  CHECK(found(kClockSkew, kAtCommit) == "ext T2 before T0 not 2");
  CHECK(found("1-9 0 rx1; 2-5 1 wx1", kAtCommit) == "");
}

TEST_CASE("timestamps: ties that leave it open are no violation") {
  CHECK(found("3-3 0 wx1; 3-3 1 wx2; 5-6 2 rx1") == "?");
  CHECK(found("3-3 0 wx1; 3-3 1 wx2; 4-4 0 wx3; 5-6 2 rx1") == "ext T3 before T0 not 3");
  CHECK(found("1-3 0 wx1; 2-3 1 rx_ wy1", kAtCommit) == "?");
  CHECK(found("1-3 0 wx1; 2-3 1 rz_ wy1", kAtCommit) == "");
}

TEST_CASE("timestamps: what is not known is no violation") {
  CHECK(found("1-_ 0 wx1; 5-6 1 rx1") == "?");
  CHECK(found("1-_ 0? wx1; 5-6 1 rx1") == "?");
  CHECK(found("1-2 0? wx1 ry_; 5-6 1 rx1") == "");
  CHECK(found("1-2 0? wx1 ry7; 5-6 1 rx1") == "?");  // it may not have read that
  CHECK(found("1-_ 0? wx1; 5-6 1 rx_") == "");
  CHECK(found("1-2 0? wx1; 5-6 1 rx1") == "");  // it did commit
  CHECK(found("1-2 0? wx1; 5-6 1 rx_") == "ext T1 before not 1");
  CHECK(found("_-4 0 rx9 wx1; 5-6 1 rx1") == "?");
  CHECK(found("1-_ 0? ax1; 2-3 1 ax2; 5-6 1 rx12; 7-8 1 rx2", kTimedLists) == "?");
  CHECK(found("1-_ 0? ax1; 2-3 1 ax2; 5-6 1 rx1", kTimedLists) == "ext T2 before not 2");
}

TEST_CASE("timestamps: of equal elements, one may have no place in time and the other one has") {
  CHECK(found("1-_ 0? ax7; 3-4 1 ax1; 5-6 2 ax7; 7-8 3 rx717", kTimedLists) == "?");
  CHECK(found("1-10 0 ax1; 3-_ 1? ax1; 11-12 2 rx11", kTimedLists) == "?");
  CHECK(found("1-_ 0? ax7; 3-4 1 ax1; 5-6 2 ax7; 7-8 3 rx17", kTimedLists) == "");
  CHECK(found("1-_ 0? ax7; 3-4 1 ax1; 5-6 2 ax7; 7-8 3 rx71", kTimedLists) ==
        "ext T3 before T1 not 17");
  CHECK(found("1-_ 0? ax7; 3-4 1 ax1; 5-6 2 ax7; 7-8 3 rx7179", kTimedLists) ==
        "ext T3 nowhere not 17");
}

TEST_CASE("timestamps: what clocks may have got wrong is marked") {
  const auto with_skew = [](std::string_view timed, std::int64_t skew, TimedAs how = {}) {
    how.skew = skew;
    return found(timed, how);
  };
  CHECK(with_skew("1-5 0 wx1; 4-6 0 wy1", 1) == "session T1 T0 perhaps");
  CHECK(with_skew("1-6 0 wx1; 4-6 0 wy1", 1) == "session T1 T0");
  CHECK(with_skew("1-5 0 wx1; 4-8 1 wx2", 1) == "noconflict T1 T0 perhaps");
  // Either of two writers may have come first.
  CHECK(with_skew("1-6 0 wx1; 5-6 1 wx2", 3) == "noconflict T1 T0 perhaps");
  CHECK(with_skew("5-6 1 wx2; 1-6 0 wx1", 3) == "noconflict T1 T0 perhaps");
  CHECK(with_skew("5-6 1 wx2; 1-7 0 wx1", 3) == "noconflict T1 T0 perhaps");
  CHECK(with_skew("3-6 1 wx2; 1-7 0 wx1", 3) == "noconflict T1 T0");
  CHECK(with_skew("5-2 0 wx1", 2) == "start-after-commit T0");
  CHECK(with_skew("5-2 0 wx1", 3) == "start-after-commit T0 perhaps");
  CHECK(with_skew("1-5 0 wx1; 6-8 1 rx_", 1) == "ext T1 before not 1 perhaps");
  CHECK(with_skew("1-5 0 wx1; 7-8 1 rx_", 1) == "ext T1 before not 1");
  CHECK(with_skew("1-5 0 wx1; 4-8 1 rx1", 1) == "ext T1 uncommitted T0 not nil perhaps");
  CHECK(with_skew("1-5 0 wx1; 7-8 1 rx9", 100) == "ext T1 nowhere not 1");
  CHECK(with_skew("1-2 0 wx1 rx_", 100) == "int T0 not 1");
  CHECK(with_skew("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx21", 2, kTimedLists) ==
        "ext T2 before T1 not 12 perhaps");
  CHECK(with_skew("1-2 0 ax1; 3-4 0 ax2; 5-6 1 rx21", 1, kTimedLists) == "ext T2 before T1 not 12");
  CHECK(with_skew("1-2 0 ax1 ax2; 5-6 1 rx1", 100, kTimedLists) == "ext T1 intermediate T0 not 12");
  // Of equal elements a list does not tell which one it shows.
  constexpr std::string_view kTwice = "1-1 0 ax1; 3-3 0 ax2; 6-6 0 ax1; 8-8 0 ax3; 9-9 1 rx";
  CHECK(with_skew(std::string(kTwice) + "121", 2, kTimedLists) ==
        "ext T4 before T2 not 1213 perhaps");
  CHECK(with_skew(std::string(kTwice) + "121", 0, kTimedLists) == "ext T4 before T2 not 1213");
  CHECK(with_skew(std::string(kTwice) + "2", 2, kTimedLists) == "ext T4 before T1 not 1213");
  // A write without a place and clocks explain it together.
  CHECK(with_skew("1-_ 0? ax7; 1-5 0 ax1; 4-8 1 rx71", 1, kTimedLists) ==
        "ext T2 uncommitted T1 not  perhaps");
}

TEST_CASE("timestamps: conflicts beyond all listing are still counted") {
  TimedHistory timed;
  constexpr std::int64_t kWriters = 150;  // all overlap: more than ten thousand pairs
  for (std::int64_t i = 0; i < kWriters; ++i) {
    timed.txns.push_back({.session = i,
                          .start = 0,
                          .commit = 1 + i,
                          .mops = {{.kind = OpKind::kWrite, .values = {i}}}});
  }
  const TimestampFindings findings = check_timestamps(build(timed), {.most_conflicts = 10'000});
  CHECK(findings.counts.by_axiom[2] == kWriters * (kWriters - 1) / 2);
  CHECK(findings.violations.size() == 10'000);
}

TEST_CASE("timestamps: a check can be stopped") {
  const History history = build(parse_timed(Workload::kRwRegister, "1-2 0 wx1"));
  CHECK(check_timestamps(history, {.keep_going = [] { return false; }}).was_stopped);
}

}  // namespace
}  // namespace elapid
