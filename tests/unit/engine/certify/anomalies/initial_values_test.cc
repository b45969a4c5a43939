// Written values that equal the initial value of a key: a read of such a value need not have seen a
// write.
#include <catch2/catch.hpp>

#include "engine/certify/anomalies/step.h"
#include "tests/unit/engine/certify/history_sketch.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

using enum SketchKind;

TEST_CASE("certify: a nil that was read needs no writer") {
  // Serial: the second, then the first.
  HistorySketch sketch(kRegisters);
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  const TxnId writer = sketch.ok(0, "ry2 wx_");
  const TxnId reader = sketch.ok(1, "rx_ wy2");
  const History history = sketch.build();
  const CycleEvidence cycle{
      {wr(reader, writer, y, v(2), 1, 0), wr(writer, reader, x, ValueId::nil(), 1, 0)}};
  CHECK_THAT(objection(history, kRegisters, AnomalyType::kG1c, cycle),
             Contains("which is the initial state too"));
  CHECK(objection(history, kRegisters, AnomalyType::kG1c, cycle, {.elle_compat = true}) == "");
}

TEST_CASE("certify: a read of nil does not tell that an indeterminate write of it happened") {
  HistorySketch sketch(kRegisters);
  const TxnId first = sketch.ok(0, "wz1");
  const TxnId maybe = sketch.info(1, "wx_ rz1");
  sketch.ok(2, "rx_");
  const KeyId z = sketch.key('z');
  const History history = sketch.build();
  const certify::Index index(history, {}, false);
  CHECK_THAT(certify::check_step(index, wr(first, maybe, z, v(1), 0, 1)).value_or(""),
             Contains("may not have taken effect"));
}

TEST_CASE("certify: nil in a list's place shows no nil that was appended") {
  HistorySketch sketch(kLists);
  const TxnId first = sketch.ok(0, "az1");
  const TxnId maybe = sketch.info(1, "ax_ rz1");
  sketch.ok(2, "rx_");
  const KeyId z = sketch.key('z');
  const History history = sketch.build();
  const certify::Index index(history, {}, true);
  CHECK_THAT(certify::check_step(index, wr(first, maybe, z, v(1), 0, 1)).value_or(""),
             Contains("may not have taken effect"));
}

TEST_CASE("certify: a read of nil is no dirty read of an aborted nil") {
  HistorySketch sketch(kRegisters);
  const TxnId writer = sketch.fail(0, "wx_");
  const TxnId reader = sketch.ok(1, "rx_");
  const History history = sketch.build();
  CHECK_THAT(objection(history, kRegisters, AnomalyType::kG1a,
                       ReadEvidence{reader, 0, ValueId::nil(), EventRef{writer}}),
             Contains("is the initial state too"));
}

TEST_CASE("certify: updates of two versions with one value lose nothing") {
  // Serial as it stands.
  HistorySketch sketch(kRegisters);
  const KeyId x = sketch.key('x');
  const TxnId first = sketch.ok(0, "rx_ wx1");
  sketch.ok(1, "wx_");
  const TxnId second = sketch.ok(2, "rx_ wx2");
  const History history = sketch.build();
  const LostUpdateEvidence lost{.key = x, .txns = {first, second}, .mop = 0};
  CHECK_THAT(objection(history, kRegisters, AnomalyType::kLostUpdate, lost),
             Contains("may be several versions"));

  HistorySketch repeated(kRegisters);
  const KeyId key = repeated.key('x');
  repeated.ok(0, "wx5");
  const TxnId one = repeated.ok(1, "rx5 wx6");
  repeated.ok(0, "wx5");
  const TxnId other = repeated.ok(2, "rx5 wx7");
  const History again = repeated.build();
  CHECK_THAT(objection(again, kRegisters, AnomalyType::kLostUpdate,
                       LostUpdateEvidence{.key = key, .txns = {one, other}, .mop = 0}),
             Contains("may be several versions"));
}

TEST_CASE("certify: a value written twice has no place among versions") {
  // Serial as it stands: the second 1 is no older than the 2.
  HistorySketch sketch(kRegisters);
  const KeyId x = sketch.key('x');
  sketch.ok(0, "wx1");
  sketch.ok(3, "rx1");
  const TxnId two = sketch.ok(1, "wx2");
  sketch.ok(3, "rx2");
  sketch.ok(2, "wx1");
  const TxnId reader = sketch.ok(4, "rx1");
  const History history = sketch.build();
  const Assumptions sequential{.sequential_keys = true};
  const certify::Index index(history, sequential, false);
  const Step step = rw(reader, two, x, v(1), v(2), 0, 0);
  CHECK_THAT(certify::check_step(index, step).value_or(""), Contains("nothing puts 1"));
  CHECK_THAT(objection(history, kRegisters, AnomalyType::kCyclicVersions,
                       CyclicVersionsEvidence{.key = x,
                                              .versions = {v(1), v(2)},
                                              .sources = {VersionSource::kSequentialKeys}},
                       sequential),
             Contains("do not all precede one another"));
}

}  // namespace
}  // namespace elapid
