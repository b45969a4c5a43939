#include <catch2/catch.hpp>

#include "tests/unit/harness/drive/driver_probe.h"

using namespace elapid;

namespace {

using RocksList = std::vector<std::int64_t>;

const std::vector<std::string> kBothUris = {"rocksdb:", "rocksdb:?transactions=optimistic"};

}  // namespace

TEST_CASE("RocksDB keeps registers and lists") {
  for (const std::string& uri : kBothUris) {
    for (const char* const level : {"read-committed", "snapshot-isolation", "serializable"}) {
      INFO(uri << ' ' << level);
      DriverProbe registers(uri, level, false, {probe_write(2, 20)});
      CHECK(registers.run(0, {probe_read(1), probe_write(1, -5), probe_read(1)}).seen ==
            std::vector<Seen>{{}, {}, -5});
      CHECK(registers.run(1, {probe_read(1), probe_read(2)}).seen == std::vector<Seen>{-5, 20});
      DriverProbe lists(uri, level, true);
      CHECK(lists.run(0, {probe_append(1, 7), probe_list(1), probe_append(1, 8)}).lists[1] ==
            RocksList{7});
      CHECK(lists.run(1, {probe_list(1), probe_list(2)}).lists ==
            std::vector<RocksList>{{7, 8}, {}});
    }
  }
}

TEST_CASE("RocksDB without a snapshot loses updates, and no other level does") {
  for (const std::string& uri : kBothUris) {
    for (const char* const level : {"read-committed", "snapshot-isolation", "serializable"}) {
      INFO(uri << ' ' << level);
      DriverProbe probe(uri, level);
      ProbeResult other;
      const ProbeResult one = probe.run(0, {probe_read(1), probe_write(1, 1)}, [&] {
        other = probe.run(1, {probe_read(1), probe_write(1, 2)});
      });
      const bool both =
          one.outcome.fate == TxnFate::kCommitted && other.outcome.fate == TxnFate::kCommitted;
      CHECK(both == (level == std::string("read-committed")));
      const TxnOutcome& refused =
          one.outcome.fate == TxnFate::kAborted ? one.outcome : other.outcome;
      if (!both) {
        CHECK(refused.fate == TxnFate::kAborted);
        CHECK((refused.error == TxnError::kConflict || refused.error == TxnError::kLockTimeout));
        CHECK(!refused.message.empty());
        CHECK(!refused.is_unusable);
      }
      // The refused transaction left no data, and the connections still work.
      const std::int64_t last = one.outcome.fate == TxnFate::kCommitted ? 1 : 2;
      CHECK(probe.run(0, {probe_read(1)}).seen == std::vector<Seen>{last});
      CHECK(probe.run(1, {probe_read(1)}).seen == std::vector<Seen>{last});
    }
  }
}

TEST_CASE("RocksDB with a snapshot allows write skew, and GetForUpdate does not") {
  for (const std::string& uri : kBothUris) {
    for (const char* const level : {"snapshot-isolation", "serializable"}) {
      INFO(uri << ' ' << level);
      DriverProbe probe(uri, level);
      ProbeResult other;
      const ProbeResult one = probe.run(0, {probe_read(1), probe_write(2, 1)}, [&] {
        other = probe.run(1, {probe_read(2), probe_write(1, 2)});
      });
      CHECK(
          (one.outcome.fate == TxnFate::kCommitted && other.outcome.fate == TxnFate::kCommitted) ==
          (level == std::string("snapshot-isolation")));
    }
  }
}

TEST_CASE("RocksDB tells its own order where it has one") {
  DriverProbe probe("rocksdb:", "snapshot-isolation");
  TxnOutcome between;
  const ProbeResult around = probe.run(0, {probe_read(1), probe_read(2)}, [&] {
    between = probe.run(1, {probe_write(1, 1), probe_write(2, 2)}).outcome;
  });
  CHECK(around.seen == std::vector<Seen>{{}, {}});
  REQUIRE(around.outcome.order);
  REQUIRE(between.order);
  CHECK(around.outcome.order->start < between.order->commit);
  CHECK(between.order->start < between.order->commit);
  const ProbeResult later = probe.run(2, {probe_read(1), probe_write(1, 3)});
  REQUIRE(later.outcome.order);
  CHECK(later.seen[0] == 1);
  CHECK(later.outcome.order->start > between.order->commit);
  CHECK(later.outcome.order->commit > later.outcome.order->start);
  CHECK(!DriverProbe("rocksdb:", "read-committed").run(0, {probe_write(1, 1)}).outcome.order);
  CHECK(!DriverProbe(kBothUris[1], "serializable").run(0, {probe_write(1, 1)}).outcome.order);
}

TEST_CASE("RocksDB at a path is opened anew each time, and nothing else in it is touched") {
  const Result<ScratchFolder> folder = ScratchFolder::create();
  REQUIRE(folder.ok());
  const std::string uri = "rocksdb:" + folder.value().path() + "/db?wal=off";
  { CHECK(DriverProbe(uri, "serializable").run(0, {probe_write(1, 1)}).outcome.order); }
  DriverProbe again(uri, "serializable");
  CHECK(again.run(0, {probe_read(1)}).seen == std::vector<Seen>{Seen()});
  CHECK(again.database().facts()[4].value == "off");
}

TEST_CASE("A client that gives up leaves nothing in RocksDB") {
  check_giving_up("rocksdb:", "serializable");
}
