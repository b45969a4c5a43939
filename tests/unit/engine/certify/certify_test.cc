#include "engine/certify/certify.h"

#include <catch2/catch.hpp>

#include "tests/unit/engine/certify/history_sketch.h"

namespace elapid {
namespace {

using Catch::Matchers::Contains;

using enum SketchKind;

TEST_CASE("certify: nothing to check holds") {
  const History history = HistorySketch(kLists).build();
  CHECK(Certifier(history, {}, true).certify({}).empty());
  CHECK(objection(history, kLists, AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}) ==
        "");
  CHECK(objection(history, kLists, AnomalyType::kCycleSearchTimeout, SearchTimeoutEvidence{}) ==
        "");
  CHECK(objection(history, kLists, AnomalyType::kG0, EmptyGraphEvidence{}) != "");
  CHECK(objection(history, kLists, AnomalyType::kG0, SearchTimeoutEvidence{}) != "");
}

TEST_CASE("certify: G1a of lists") {
  HistorySketch sketch(kLists);
  const TxnId writer = sketch.fail(0, "ax1");
  const TxnId other = sketch.ok(1, "ax2");
  const TxnId reader = sketch.ok(2, "ry rx12");
  const TxnId unknown = sketch.info(3, "ry rx12");
  sketch.fail(4, "ax3");
  const TxnId retried = sketch.fail(5, "ax4");
  sketch.ok(5, "ax4");
  const TxnId late = sketch.ok(6, "rx1234");
  const History history = sketch.build();
  const auto against = [&](ReadEvidence evidence) {
    return objection(history, kLists, AnomalyType::kG1a, std::move(evidence));
  };
  CHECK(against({reader, 1, v(1), EventRef{writer}}) == "");
  CHECK_THAT(against({reader, 1, v(2), EventRef{other}}), Contains("did not abort"));
  CHECK_THAT(against({reader, 1, v(2), EventRef{writer}}), Contains("did not write 2 of key :x"));
  CHECK_THAT(against({reader, 1, v(3), EventRef{writer}}), Contains("does not read 3"));
  CHECK(against({reader, 0, v(1), EventRef{writer}}) != "");
  CHECK(against({reader, 9, v(1), EventRef{writer}}) != "");
  CHECK(against({TxnId{99}, 1, v(1), EventRef{writer}}) != "");
  CHECK_THAT(against({unknown, 1, v(1), EventRef{writer}}), Contains("did not commit"));
  CHECK_THAT(against({reader, 1, v(1), {}}), Contains("the writer is not named"));
  CHECK_THAT(against({reader, 1, v(1), EventRef{TxnId{99}}}), Contains("the writer is not named"));
  CHECK_THAT(against({late, 0, v(4), EventRef{retried}}), Contains("wrote 4 of key :x too"));
  CHECK(objection(history, kLists, AnomalyType::kG0,
                  ReadEvidence{reader, 1, v(1), EventRef{writer}}) != "");
}

TEST_CASE("certify: G1a of registers") {
  HistorySketch sketch(kRegisters);
  const TxnId writer = sketch.fail(0, "wx1");
  const TxnId reader = sketch.ok(1, "rx1");
  const History history = sketch.build();
  CHECK(objection(history, kRegisters, AnomalyType::kG1a,
                  ReadEvidence{reader, 0, v(1), EventRef{writer}}) == "");
  CHECK(objection(history, kRegisters, AnomalyType::kG1a,
                  ReadEvidence{reader, 0, v(2), EventRef{writer}}) != "");
}

TEST_CASE("certify: G1b") {
  HistorySketch sketch(kLists);
  const TxnId writer = sketch.ok(0, "ax1 ay9 ax2");
  const TxnId reader = sketch.ok(1, "rx1");
  const TxnId whole = sketch.ok(2, "rx12");
  const TxnId own = sketch.ok(3, "az1 rz1 az2");
  const History history = sketch.build();
  const auto against = [&](ReadEvidence evidence) {
    return objection(history, kLists, AnomalyType::kG1b, std::move(evidence));
  };
  CHECK(against({reader, 0, v(1), EventRef{writer}}) == "");
  CHECK(against({reader, 0, v(1), EventRef{writer, EventKind::kInvocation}}) == "");
  CHECK_THAT(against({whole, 0, v(1), EventRef{writer}}), Contains("does not end in 1"));
  CHECK_THAT(against({whole, 0, v(2), EventRef{writer}}), Contains("and overwrite it"));
  CHECK_THAT(against({reader, 0, v(1), EventRef{whole}}), Contains("did not write 1 of key :x"));
  CHECK_THAT(against({own, 1, v(1), EventRef{own}}), Contains("read its own write"));
}

TEST_CASE("certify: a write of the invocation alone is no write") {
  HistorySketch sketch(kRegisters);
  sketch.invoke(0, "wx1 wx2");
  const TxnId writer = sketch.complete(EventType::kInfo, 0, "wx2");
  const TxnId reader = sketch.ok(1, "rx1");
  const History history = sketch.build();
  const auto against = [&](EventKind kind) {
    return objection(history, kRegisters, AnomalyType::kG1b,
                     ReadEvidence{reader, 0, v(1), EventRef{writer, kind}});
  };
  CHECK_THAT(against(EventKind::kInvocation), Contains("did not write 1"));
  CHECK(against(EventKind::kCompletion) != "");
  CHECK(objection(history, kRegisters, AnomalyType::kGarbageRead,
                  ReadEvidence{reader, 0, v(1), {}}) == "");
}

TEST_CASE("certify: garbage-read") {
  HistorySketch sketch(kLists);
  sketch.fail(0, "ax1");
  const TxnId reader = sketch.ok(1, "rx13");
  const TxnId unknown = sketch.info(2, "rx13");
  const History history = sketch.build();
  const auto against = [&](ReadEvidence evidence) {
    return objection(history, kLists, AnomalyType::kGarbageRead, std::move(evidence));
  };
  CHECK(against({reader, 0, v(3), {}}) == "");
  CHECK_THAT(against({reader, 0, v(1), {}}), Contains("a transaction wrote 1"));
  CHECK_THAT(against({reader, 0, v(4), {}}), Contains("does not read 4"));
  CHECK(against({unknown, 0, v(3), {}}) != "");

  HistorySketch registers(kRegisters);
  const TxnId initial = registers.ok(0, "rx_");
  const TxnId garbage = registers.ok(0, "rx7");
  const History second = registers.build();
  CHECK_THAT(objection(second, kRegisters, AnomalyType::kGarbageRead,
                       ReadEvidence{initial, 0, ValueId::nil(), {}}),
             Contains("the initial state"));
  CHECK(objection(second, kRegisters, AnomalyType::kGarbageRead,
                  ReadEvidence{garbage, 0, v(7), {}}) == "");
}

TEST_CASE("certify: future-read") {
  HistorySketch sketch(kLists);
  const TxnId reader = sketch.ok(0, "rx12 ax2");
  const TxnId proper = sketch.ok(1, "ay2 ry2");
  const History history = sketch.build();
  const auto against = [&](ReadEvidence evidence) {
    return objection(history, kLists, AnomalyType::kFutureRead, std::move(evidence));
  };
  CHECK(against({reader, 0, v(2), {}}) == "");
  CHECK(against({reader, 0, v(1), {}}) != "");
  CHECK(against({reader, 1, v(2), {}}) != "");
  CHECK(against({proper, 1, v(2), {}}) != "");
}

ExpectedRead expect_list(std::vector<ValueId> elements, bool is_suffix = false) {
  return {.kind = is_suffix ? ExpectedRead::Kind::kSuffix : ExpectedRead::Kind::kList,
          .elements = std::move(elements)};
}

TEST_CASE("certify: internal of lists") {
  HistorySketch sketch(kLists);
  const TxnId after_read = sketch.ok(0, "rx1 ax2 ry rx1");
  const TxnId after_append = sketch.ok(0, "ax3 ax4 rx124");
  const TxnId proper = sketch.ok(0, "ax5 rx125 ax6 rx1256");
  const TxnId short_list = sketch.ok(0, "ax7 ax8 rx8");
  const TxnId nil_then_empty = sketch.ok(0, "rx_ rx");
  const TxnId nil_then_append = sketch.ok(0, "rz_ az1 rz21");
  const TxnId aborted = sketch.fail(0, "rx1 rx");
  const History history = sketch.build();
  const auto against = [&](TxnId txn, std::uint32_t mop, ExpectedRead expected) {
    return objection(history, kLists, AnomalyType::kInternal,
                     InternalEvidence{txn, mop, std::move(expected)});
  };
  CHECK(against(after_read, 3, expect_list({v(1), v(2)})) == "");
  CHECK_THAT(against(after_read, 3, expect_list({v(1)})), Contains("does not follow"));
  CHECK_THAT(against(after_read, 3, expect_list({v(1), v(2)}, true)), Contains("does not follow"));
  CHECK_THAT(against(after_read, 2, expect_list({v(1)})), Contains("does not follow"));
  CHECK_THAT(against(after_read, 1, expect_list({v(1)})), Contains("is no read"));
  CHECK(against(after_append, 2, expect_list({v(3), v(4)}, true)) == "");
  CHECK_THAT(against(proper, 1, expect_list({v(5)}, true)), Contains("read what it should have"));
  CHECK_THAT(against(proper, 3, expect_list({v(1), v(2), v(5), v(6)})),
             Contains("read what it should have"));
  CHECK(against(short_list, 2, expect_list({v(7), v(8)}, true)) == "");
  CHECK_THAT(against(nil_then_empty, 1, {}), Contains("read what it should have"));
  CHECK(against(nil_then_append, 2, expect_list({v(1)})) == "");
  CHECK_THAT(against(aborted, 1, expect_list({v(1)})), Contains("did not commit"));
  CHECK(objection(history, kLists, AnomalyType::kG0, InternalEvidence{nil_then_empty, 1, {}}) !=
        "");
}

TEST_CASE("certify: internal of registers") {
  HistorySketch sketch(kRegisters);
  const TxnId txn = sketch.ok(0, "rx_ wx1 rx2 rx2");
  const History history = sketch.build();
  const auto against = [&](std::uint32_t mop, ValueId expected) {
    return objection(history, kRegisters, AnomalyType::kInternal,
                     InternalEvidence{txn, mop, {.scalar = expected}});
  };
  CHECK(against(2, v(1)) == "");
  CHECK_THAT(against(2, ValueId::nil()), Contains("does not follow"));
  CHECK_THAT(against(3, v(2)), Contains("read what it should have"));
  CHECK_THAT(against(0, ValueId::nil()), Contains("does not follow"));
}

TEST_CASE("certify: duplicate-elements") {
  HistorySketch sketch(kLists);
  const TxnId reader = sketch.ok(0, "ry1 rx12121");
  const TxnId unknown = sketch.info(1, "rx11");
  const TxnId aborted = sketch.fail(2, "rx11");
  const History history = sketch.build();
  const auto against = [&](TxnId txn, std::uint32_t mop,
                           std::vector<std::pair<ValueId, std::uint32_t>> counts) {
    return objection(history, kLists, AnomalyType::kDuplicateElements,
                     DuplicateElementsEvidence{txn, mop, std::move(counts)});
  };
  CHECK(against(reader, 1, {{v(2), 2}, {v(1), 3}}) == "");
  CHECK_THAT(against(unknown, 0, {{v(1), 2}}), Contains("says nothing"));
  CHECK(against(aborted, 0, {{v(1), 2}}) != "");
  CHECK(against(reader, 1, {{v(1), 2}, {v(2), 2}}) != "");
  CHECK(against(reader, 1, {{v(1), 3}}) != "");
  CHECK(against(reader, 0, {}) != "");
  CHECK(against(reader, 0, {{v(1), 1}}) != "");
  CHECK(against(reader, 7, {{v(1), 3}}) != "");
}

TEST_CASE("certify: elements appended as often as they are shown are no repetition") {
  HistorySketch sketch(kLists);
  sketch.ok(0, "ax1");
  sketch.ok(0, "ax1 ax2");
  const TxnId both = sketch.ok(1, "rx112");
  const TxnId too_many = sketch.ok(1, "rx1112");
  const TxnId own_missing = sketch.ok(1, "ay3 ry44");
  const History history = sketch.build();
  const auto against = [&](TxnId txn, std::vector<std::pair<ValueId, std::uint32_t>> counts) {
    const std::uint32_t mop = txn == own_missing ? 1 : 0;
    return objection(history, kLists, AnomalyType::kDuplicateElements,
                     DuplicateElementsEvidence{txn, mop, std::move(counts)});
  };
  CHECK_THAT(against(both, {{v(1), 2}}), Contains("more often than it was appended"));
  CHECK(against(too_many, {{v(1), 3}}) == "");
  CHECK_THAT(against(own_missing, {{v(4), 2}}), Contains("says nothing"));
}

TEST_CASE("certify: own elements are no versions") {
  HistorySketch sketch(kLists);
  const TxnId one = sketch.ok(0, "ax1 rx1");
  const TxnId two = sketch.ok(1, "ax2 rx2");
  const TxnId three = sketch.ok(2, "ax3 rx123");
  const TxnId other = sketch.ok(3, "rx2");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const auto against = [&](TxnId first, std::uint32_t first_mop, TxnId second,
                           std::uint32_t second_mop) {
    return objection(
        history, kLists, AnomalyType::kIncompatibleOrder,
        IncompatibleOrderEvidence{x, EventRef{first}, first_mop, EventRef{second}, second_mop});
  };
  CHECK_THAT(against(one, 1, two, 1), Contains("is a prefix of the other"));
  CHECK_THAT(against(one, 1, other, 0), Contains("is a prefix of the other"));
  CHECK(against(three, 1, other, 0) == "");
}

TEST_CASE("certify: incompatible-order") {
  HistorySketch sketch(kLists);
  const TxnId one = sketch.ok(0, "rx12");
  const TxnId two = sketch.info(1, "ry rx13 az5");
  const TxnId prefix = sketch.ok(2, "rx1 rz5");
  const TxnId aborted = sketch.fail(3, "rx2");
  const KeyId x = sketch.key('x');
  const KeyId y = sketch.key('y');
  const History history = sketch.build();
  const auto against = [&](KeyId key, TxnId first, std::uint32_t first_mop, TxnId second,
                           std::uint32_t second_mop) {
    return objection(
        history, kLists, AnomalyType::kIncompatibleOrder,
        IncompatibleOrderEvidence{key, EventRef{first}, first_mop, EventRef{second}, second_mop});
  };
  CHECK(against(x, one, 0, two, 1) == "");
  CHECK_THAT(against(x, one, 0, prefix, 0), Contains("is a prefix of the other"));
  CHECK_THAT(against(x, prefix, 0, two, 1), Contains("is a prefix of the other"));
  CHECK(against(x, one, 0, two, 0) != "");
  CHECK(against(y, one, 0, two, 1) != "");
  CHECK(against(x, one, 0, aborted, 0) != "");
  CHECK(against(x, one, 5, two, 1) != "");
}

TEST_CASE("certify: dirty-update") {
  HistorySketch sketch(kLists);
  const TxnId good = sketch.ok(0, "ax1");
  const TxnId aborted = sketch.fail(0, "ax2");
  sketch.info(1, "ax3");
  const TxnId committed = sketch.ok(2, "ax4");
  const TxnId later = sketch.ok(2, "ax5");
  sketch.fail(3, "rx12345");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const auto against = [&](std::vector<ValueId> values, TxnId from, TxnId to) {
    return objection(history, kLists, AnomalyType::kDirtyUpdate,
                     DirtyUpdateEvidence{x, std::move(values), from, to});
  };
  CHECK(against({v(2), v(3), v(4)}, aborted, committed) == "");
  CHECK_THAT(against({v(2), v(4)}, aborted, committed), Contains("no list shows 4"));
  CHECK_THAT(against({v(2), v(3), v(4), v(5)}, aborted, later),
             Contains("4 was not written by a transaction that may have aborted"));
  CHECK_THAT(against({v(3), v(4)}, aborted, committed),
             Contains("is not the only one to append 3"));
  CHECK(against({v(1), v(2), v(3), v(4)}, good, committed) != "");
  CHECK(against({v(2), v(3), v(4)}, aborted, later) != "");
  CHECK(against({v(2)}, aborted, committed) != "");
}

TEST_CASE("certify: lost-update") {
  HistorySketch sketch(kLists);
  sketch.ok(9, "ax1");
  const TxnId one = sketch.ok(0, "rx1 ax2");
  const TxnId two = sketch.ok(1, "ry rx1 ax3");
  const TxnId stale = sketch.ok(2, "rx ax4");
  const TxnId blind = sketch.ok(3, "ax5 rx1 ax6");
  const TxnId read_only = sketch.ok(4, "rx1");
  const TxnId unknown = sketch.info(5, "rx1 ax7");
  const TxnId nil_reader = sketch.ok(6, "rx_ ax8");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const auto against = [&](std::vector<TxnId> txns, std::uint32_t mop = 0) {
    return objection(history, kLists, AnomalyType::kLostUpdate,
                     LostUpdateEvidence{x, std::move(txns), mop});
  };
  CHECK(against({one, two}) == "");
  CHECK(against({two, one}, 1) == "");
  CHECK(against({stale, nil_reader}) == "");
  CHECK_THAT(against({one, two}, 1), Contains("is no read of the key"));
  CHECK_THAT(against({two, one}, 0), Contains("is no read of the key"));
  CHECK_THAT(against({one, stale}), Contains("did not read this version of key :x"));
  CHECK(against({one, blind}) != "");
  CHECK(against({one, read_only}) != "");
  CHECK_THAT(against({one, unknown}), Contains("not all transactions named committed"));
  CHECK(against({one}) != "");
  CHECK(against({one, one}) != "");
  CHECK(against({one, TxnId{99}}) != "");
}

TEST_CASE("certify: lost-update of registers") {
  HistorySketch sketch(kRegisters);
  const TxnId one = sketch.ok(0, "rx_ wx1");
  const TxnId two = sketch.ok(1, "rx_ wx2");
  const TxnId three = sketch.ok(2, "rx1 wx3");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  CHECK(objection(history, kRegisters, AnomalyType::kLostUpdate,
                  LostUpdateEvidence{x, {one, two}, 0}) == "");
  CHECK(objection(history, kRegisters, AnomalyType::kLostUpdate,
                  LostUpdateEvidence{x, {one, three}, 0}) != "");
}

TEST_CASE("certify: cyclic-versions") {
  HistorySketch sketch(kRegisters);
  sketch.ok(0, "rx2 wx1");
  sketch.ok(1, "rx1");
  sketch.ok(1, "wx2");
  sketch.ok(2, "wx3");
  const KeyId x = sketch.key('x');
  const History history = sketch.build();
  const Assumptions both{.wfr_keys = true, .sequential_keys = true};
  const auto against = [&](std::vector<ValueId> versions, std::vector<VersionSource> sources,
                           const Assumptions& assumptions) {
    return objection(history, kRegisters, AnomalyType::kCyclicVersions,
                     CyclicVersionsEvidence{x, std::move(versions), std::move(sources)},
                     assumptions);
  };
  using enum VersionSource;
  CHECK(against({v(1), v(2)}, {kInitialState, kWfrKeys, kSequentialKeys}, both) == "");
  CHECK_THAT(against({v(1), v(2)}, {kInitialState, kWfrKeys}, both),
             Contains("do not all precede one another"));
  CHECK_THAT(against({v(1), v(2)}, {kWfrKeys, kSequentialKeys}, {.wfr_keys = true}),
             Contains("an assumption that was not made"));
  CHECK(against({v(1), v(2), v(3)}, {kInitialState, kWfrKeys, kSequentialKeys}, both) != "");
  CHECK(against({v(1), ValueId::nil()}, {kInitialState, kWfrKeys, kSequentialKeys}, both) != "");
  CHECK(against({v(1)}, {kWfrKeys, kSequentialKeys}, both) != "");
  CHECK(against({v(1), v(1)}, {kWfrKeys, kSequentialKeys}, both) != "");
}

}  // namespace
}  // namespace elapid
