#include "parsers/coo/coo_schedule.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

namespace elapid {
namespace {

using Versions = std::vector<std::uint32_t>;

/// The versions that transaction 9 of a schedule reads, by this policy.
Versions read_by_last(std::string_view schedule, CooPolicy policy) {
  CooSchedule run(policy);
  for (std::size_t at = 0; at < schedule.size();) {
    const char letter = schedule[at];
    const auto txn = static_cast<std::size_t>(schedule[at + 1] - '0');
    run.txn(txn, 0, 0);
    at += 2;
    if (letter == 'C' || letter == 'A') {
      run.finish(txn, letter == 'C' ? TxnStatus::kCommitted : TxnStatus::kAborted, 0);
    } else {
      run.access(txn, static_cast<std::size_t>(schedule[at++] - 'a'), letter == 'W');
    }
  }
  Versions versions;
  for (const CooAccess& access : run.txn(9).accesses) {
    if (access.kind == CooAccess::Kind::kRead) {
      versions.push_back(access.version);
    }
  }
  return versions;
}

TEST_CASE("before any write every policy sees version 0") {
  for (const CooPolicy policy :
       {CooPolicy::kReadCommitted, CooPolicy::kReadUncommitted, CooPolicy::kRepeatableRead}) {
    CHECK(read_by_last("R9aW0bR9a", policy) == Versions{0, 0});
  }
}

TEST_CASE("a transaction sees its own last write by every policy") {
  for (const CooPolicy policy :
       {CooPolicy::kReadCommitted, CooPolicy::kReadUncommitted, CooPolicy::kRepeatableRead}) {
    CHECK(read_by_last("R9aW0aW9aW9aW1aC1R9a", policy) == Versions{0, 3});
  }
}

TEST_CASE("what is not committed is seen by read-uncommitted alone, while it is not aborted") {
  const std::string_view schedule = "W0aR9aW1aR9aA1R9aC0R9aA2R9a";
  CHECK(read_by_last(schedule, CooPolicy::kReadUncommitted) == Versions{1, 2, 1, 1, 1});
  CHECK(read_by_last(schedule, CooPolicy::kReadCommitted) == Versions{0, 0, 0, 1, 1});
  CHECK(read_by_last(schedule, CooPolicy::kRepeatableRead) == Versions{0, 0, 0, 0, 0});
}

TEST_CASE("the latest write counts, not the latest commit") {
  CHECK(read_by_last("W0aW1aC1C0R9a", CooPolicy::kReadCommitted) == Versions{2});
}

TEST_CASE("a repeated read is of one item") {
  CHECK(read_by_last("R9aW0aW0bC0R9aR9bR9b", CooPolicy::kRepeatableRead) == Versions{0, 0, 1, 1});
}

TEST_CASE("a scan looks at every item by the same policy") {
  CooSchedule run(CooPolicy::kRepeatableRead);
  run.txn(0, 0, 0);
  run.txn(9, 0, 0);
  run.access(0, 0, true);
  run.access(9, 1, true);
  run.scan(9);
  run.finish(0, TxnStatus::kCommitted, 0);
  run.scan(9);
  run.access(9, 0, false);
  const CooTxn& txn = run.txn(9);
  REQUIRE(txn.scans.size() == 2);
  CHECK(txn.scans[0][0] == 0);
  CHECK(txn.scans[0][1] == 1);
  CHECK(txn.scans[1] == txn.scans[0]);
  CHECK(txn.accesses.back().version == 0);
  CHECK(run.has_item(1));
  CHECK_FALSE(run.has_item(2));
}

}  // namespace
}  // namespace elapid
