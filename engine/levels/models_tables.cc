#include "engine/levels/models_tables.h"

#include <cstddef>

namespace elapid {
namespace {

using enum Model;
using enum AnomalyType;

/// Whether every row stands at the place its id names.
template <class Table>
constexpr bool in_order(const Table& table) {
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (static_cast<std::size_t>(table[i].id) != i) {
      return false;
    }
  }
  return true;
}

// How far a check goes, for answers that several models share.
constexpr std::string_view kDependencies =
    "list-append: complete where reads show every element; rw-register: as far as version orders "
    "can be inferred; no predicates";
constexpr std::string_view kOrders =
    "complete: inference, then a search for an order of events; no predicates";
constexpr std::string_view kOrdersAndRows =
    "complete: inference, then a search for an order of events; of rows and predicates by carrying "
    "transactions out, and by clauses";
constexpr std::string_view kCircles =
    "complete where reads show every element of lists, and for registers; no predicates";
constexpr std::string_view kCirclesAndRows =
    "complete where reads show every element of lists, and for registers; of rows and predicates "
    "by "
    "clauses";
constexpr std::string_view kSaturated =
    "complete: all edges that reads force, in polynomial time; where values repeat, with a search "
    "for their writers; no predicates, no list that shows an element appended twice";
constexpr std::string_view kSaturatedAndRows =
    "complete: all edges that reads force, in polynomial time; where values repeat, with a search "
    "for their writers; of rows and predicates by clauses; no list that shows an element appended "
    "twice";
constexpr std::string_view kSameAsSerializable =
    "complete: equivalent to serializable, since histories do not show the final state; rows and "
    "predicates too";
constexpr std::string_view kSameAsSessionSerializable =
    "complete where each operation is a whole transaction: the same question as "
    "strong-session-serializable, of rows and predicates too";
constexpr std::string_view kSameAsStrict =
    "complete where each operation is a whole transaction: the same question as "
    "strict-serializable, of rows and predicates too";
constexpr std::string_view kConsistentAndAtomic =
    "equivalent to consistent-view and read-atomic together; no predicates";
constexpr std::string_view kShapes =
    "complete: inference, then a search for version orders without forbidden cycles; no "
    "predicates, no list that shows an element appended twice";
constexpr std::string_view kByConsistentView =
    "equivalent to consistent-view where histories do not show when transactions started; no "
    "predicates";

}  // namespace

constexpr std::array<ModelRow, kModelCount> kModelTable = {{
    {kOneSr,
     "1SR",
     "1SR",
     {},
     {},
     {"A replicated database answers as if its transactions ran one after another on a single "
      "copy.",
      "Bernstein, Hadzilacos and Goodman, Concurrency Control and Recovery in Database Systems "
      "(1987)",
      kSameAsSerializable}},
    {kPl1,
     "PL-1",
     "read-uncommitted",
     {},
     {kG0, kPl1CycleExists, kCyclicVersions, kDuplicateElements},
     {"The writes of transactions do not interleave: no cycle of write dependencies (G0).",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-1)", kDependencies}},
    {kPl2,
     "PL-2",
     "read-committed",
     {kPl1},
     {kG1, kPl2CycleExists},
     {"Only final versions of committed transactions are read, and no transactions depend on one "
      "another in a cycle: no G1.",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-2)", kCirclesAndRows}},
    {kPl2Plus,
     "PL-2+",
     "consistent-view",
     {kPl2L, kPlCs},
     {kGSingle, kG1},
     {"A transaction that depends on another misses none of its effects: no G1, no cycle with "
      "exactly one anti-dependency (G-single).",
      "Adya, thesis 1999, chapter 4 (PL-2+)", kShapes}},
    {kPl299,
     "PL-2.99",
     "repeatable-read",
     {kPlCs, kMonotonicAtomicView},
     {kG1, kG2Item, kPl299CycleExists, kLostUpdate},
     {"Serializable except for predicates: no G1, no cycle whose anti-dependencies are all on "
      "items (G2-item).",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-2.99)", kOrdersAndRows}},
    {kPl2L,
     "PL-2L",
     "monotonic-view",
     {kPl2},
     {kGMonotonic, kG1},
     {"Once a transaction has read from another, its later reads miss none of the other's effects: "
      "no G1, no G-monotonic.",
      "Adya, thesis 1999, chapter 4 (PL-2L)", kShapes}},
    {kPl3,
     "PL-3",
     "serializable",
     {kPl299, kPl3U, kPlSi, kViewSerializable},
     {kG1, kG2, kPl3CycleExists, kInternal, kPredicateReadMiss},
     {"The dependencies among committed transactions agree with some serial order: no G1, no G2.",
      "Bernstein, Hadzilacos and Goodman (1987); Adya, Liskov and O'Neil, ICDE 2000 (PL-3)",
      kOrdersAndRows}},
    {kPl3U,
     "PL-3U",
     "update-serializable",
     {kPlFcv},
     {kGUpdate, kG1},
     {"Update transactions are serializable, also together with any single read-only transaction: "
      "no G1, no G-update.",
      "Adya, thesis 1999, chapter 4 (PL-3U)", kShapes}},
    {kPlCs,
     "PL-CS",
     "cursor-stability",
     {kPl2},
     {kGCursor, kG1, kLostUpdate},
     {"An item does not change between a read through a cursor and the write that follows it: no "
      "G1, no G-cursor.",
      "Berenson et al., SIGMOD 1995; Adya, thesis 1999, chapter 4 (PL-CS)", kShapes}},
    {kPlFcv,
     "PL-FCV",
     "forward-consistent-view",
     {kPl2Plus},
     {kGSib, kG1},
     {"Consistent-view, and no transaction misses effects of one that committed before it began: "
      "no G1, no G-SIb.",
      "Adya, thesis 1999, chapter 4 (PL-FCV)", kByConsistentView}},
    {kPlMsr,
     "PL-MSR",
     "monotonic-snapshot-read",
     {kPl2},
     {kGMsr, kG1},
     {"Each read sees a committed snapshot, and within a transaction snapshots never go back: no "
      "G1, no G-MSR.",
      "Adya, thesis 1999, chapter 4 (PL-MSR)", kShapes}},
    {kPlSi,
     "PL-SI",
     "snapshot-isolation",
     {kPlFcv, kPlMsr, kMonotonicAtomicView, kParallelSnapshotIsolation, kPrefix},
     {kGSi, kGNonadjacent, kG1, kPlSiCycleExists, kInternal},
     {"Each transaction reads from one committed snapshot, which may be old, and of those that "
      "overlap only one writes a key: no G1, no cycle without adjacent anti-dependencies.",
      "Berenson et al., SIGMOD 1995; Adya, thesis 1999, chapter 4 (PL-SI); here without start "
      "times or sessions",
      kOrdersAndRows}},
    {kPlSs,
     "PL-SS",
     "strong-serializable",
     {kPl3, kPlSi, kLinearizable, kSessionSerializable, kStrongSessionSerializable,
      kStrongSnapshotIsolation},
     {kG1, kG1cRealtime, kG2Realtime, kPlSsCycleExists},
     {"Serializable in an order that agrees with real time: a transaction that ended before "
      "another began comes first.",
      "Papadimitriou, JACM 1979; Herlihy and Wing, TOPLAS 1990; Adya (PL-SS)", kOrdersAndRows}},
    {kPram,
     "PRAM",
     "PRAM",
     {kMonotonicReads, kMonotonicWrites, kReadYourWrites},
     {},
     {"Monotonic-reads, monotonic-writes and read-your-writes together: each session's writes are "
      "seen in its order.",
      "Lipton and Sandberg 1988; Bailis et al., VLDB 2014", kSaturated}},
    {kCausal,
     "causal",
     "causal",
     {kPram, kWritesFollowReads},
     {},
     {"All transactions see operations in the order given by sessions and reads.",
      "Ahamad et al. 1995; Bailis et al., VLDB 2014; Biswas and Enea, OOPSLA 2019", kSaturated}},
    {kCausalCerone,
     "causal-cerone",
     "causal-cerone",
     {kReadAtomic},
     {kG1a, kInternal},
     {"Read-atomic, and a transaction that sees another also sees all that the other saw.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015", kSaturated}},
    {kLinearizable,
     "linearizable",
     "linearizable",
     {kSequential},
     {},
     {"Each operation takes effect at one instant between its invocation and its completion.",
      "Herlihy and Wing, TOPLAS 1990", kSameAsStrict}},
    {kMonotonicAtomicView,
     "monotonic-atomic-view",
     "monotonic-atomic-view",
     {kPl2},
     {},
     {"Once a transaction has seen one effect of another, its later reads see all of them.",
      "Bailis et al., VLDB 2014", kSaturated}},
    {kMonotonicReads,
     "monotonic-reads",
     "monotonic-reads",
     {},
     {},
     {"The reads of a session never see less than its earlier reads saw.",
      "Terry et al., PDIS 1994; Bailis et al., VLDB 2014", kSaturated}},
    {kMonotonicWrites,
     "monotonic-writes",
     "monotonic-writes",
     {},
     {},
     {"The writes of a session are seen in the order in which it made them.",
      "Terry et al., PDIS 1994; Bailis et al., VLDB 2014", kSaturated}},
    {kParallelSnapshotIsolation,
     "parallel-snapshot-isolation",
     "parallel-snapshot-isolation",
     {kCausalCerone, kUpdateAtomic},
     {kG1a, kInternal},
     {"Snapshot isolation whose snapshots need only be causal: unrelated transactions may be seen "
      "in different orders.",
      "Sovran et al., SOSP 2011; Cerone, Bernardi and Gotsman, CONCUR 2015", kConsistentAndAtomic}},
    {kPrefix,
     "prefix",
     "prefix",
     {kCausalCerone},
     {kG1a, kInternal},
     {"All commits have one order, and each transaction reads from a prefix of it.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015", kOrders}},
    {kReadAtomic,
     "read-atomic",
     "read-atomic",
     {kMonotonicAtomicView},
     {kG1a, kFutureRead, kInternal},
     {"Others see all effects of a transaction or none, and it reads what it wrote itself.",
      "Bailis et al., SIGMOD 2014; Cerone, Bernardi and Gotsman, CONCUR 2015", kSaturatedAndRows}},
    {kReadYourWrites,
     "read-your-writes",
     "read-your-writes",
     {},
     {},
     {"The reads of a session see its own earlier writes.",
      "Terry et al., PDIS 1994; Bailis et al., VLDB 2014", kSaturated}},
    {kSequential,
     "sequential",
     "sequential",
     {kCausal},
     {},
     {"All operations have one order that agrees with the order of each session.",
      "Lamport, IEEE Transactions on Computers 1979", kSameAsSessionSerializable}},
    {kSessionSerializable,
     "session-serializable",
     "session-serializable",
     {kOneSr},
     {},
     {"One-copy serializable in an order that agrees with the order of each session.",
      "Zuikeviciute and Pedone, Correctness Criteria for Database Replication (2008)",
      kSameAsSessionSerializable}},
    {kStrongPl1,
     "strong-PL-1",
     "strong-read-uncommitted",
     {kStrongSessionPl1},
     {kG0Realtime, kStrongPl1CycleExists},
     {"Read-uncommitted where real-time order counts as a dependency: no G0-realtime.",
      "a generalisation of Adya's PL-1 made by Elle", kDependencies}},
    {kStrongPl2,
     "strong-PL-2",
     "strong-read-committed",
     {kStrongPl1, kStrongSessionPl2},
     {kG1cRealtime, kStrongPl2CycleExists},
     {"Read-committed where real-time order counts as a dependency: no G1c-realtime.",
      "a generalisation of Adya's PL-2 made by Elle", kCircles}},
    {kStrongSessionPl1,
     "strong-session-PL-1",
     "strong-session-read-uncommitted",
     {kPl1},
     {kG0Process, kStrongSessionPl1CycleExists},
     {"Read-uncommitted where session order counts as a dependency: no G0-process.",
      "a generalisation of Adya's PL-1 made by Elle", kDependencies}},
    {kStrongSessionPl2,
     "strong-session-PL-2",
     "strong-session-read-committed",
     {kPl2, kStrongSessionPl1},
     {kG1cProcess, kStrongSessionPl2CycleExists},
     {"Read-committed where session order counts as a dependency: no G1c-process.",
      "a generalisation of Adya's PL-2 made by Elle", kCircles}},
    {kStrongSessionSerializable,
     "strong-session-serializable",
     "strong-session-serializable",
     {kPl3, kStrongSessionSnapshotIsolation},
     {kG1Process, kG2Process, kStrongSessionSerializableCycleExists},
     {"Serializable in an order that agrees with the order of each session.",
      "Daudjee and Salem, ICDE 2004", kOrdersAndRows}},
    {kStrongSessionSnapshotIsolation,
     "strong-session-snapshot-isolation",
     "strong-session-snapshot-isolation",
     {kPlSi, kStrongSessionPl2, kPc},
     {kGNonadjacentProcess, kG1Process, kInternal, kStrongSessionSnapshotIsolationCycleExists},
     {"Snapshot isolation where a snapshot holds all that its session did before.",
      "Daudjee and Salem, VLDB 2006; Cerone and Gotsman, PODC 2016", kOrdersAndRows}},
    {kStrongSnapshotIsolation,
     "strong-snapshot-isolation",
     "strong-snapshot-isolation",
     {kStrongPl2, kStrongSessionSnapshotIsolation},
     {kGNonadjacentRealtime, kG1Realtime, kInternal, kStrongSnapshotIsolationCycleExists},
     {"Snapshot isolation where a snapshot holds all that ended before its transaction began.",
      "Daudjee and Salem, VLDB 2006", kOrdersAndRows}},
    {kUpdateAtomic,
     "update-atomic",
     "update-atomic",
     {kReadAtomic},
     {kLostUpdate},
     {"Read-atomic, and of two transactions that write a key one sees the other.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015; Liu et al., FASE 2018", kShapes}},
    {kViewSerializable,
     "view-serializable",
     "view-serializable",
     {},
     {},
     {"In some serial order every read has the same writer, and every key the same last writer.",
      "Yannakakis, JACM 1984; Bernstein, Hadzilacos and Goodman (1987)", kSameAsSerializable}},
    {kWritesFollowReads,
     "writes-follow-reads",
     "writes-follow-reads",
     {},
     {},
     {"A transaction that sees a write also sees what the write's session had read before it.",
      "Terry et al., PDIS 1994; Bailis et al., VLDB 2014", kSaturated}},
    {kRc,
     "rc",
     "rc",
     {kStrongSessionPl2, kMonotonicAtomicView},
     {},
     {"Once a transaction has read from another, its later reads see nothing older of the keys "
      "that "
      "the other wrote: read committed whose reads never go back.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (read committed)", kSaturated}},
    {kRa,
     "ra",
     "ra",
     {kRc, kReadAtomic, kReadYourWrites},
     {kInternal},
     {"A transaction sees all writes of those it reads from, and of those before it in its "
      "session.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (read atomic)", kSaturated}},
    {kCc,
     "cc",
     "cc",
     {kRa, kCausal},
     {kInternal},
     {"A transaction sees all writes of those that lead to it through reads and sessions.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (causal consistency)", kSaturated}},
    {kPc,
     "pc",
     "pc",
     {kCc, kPrefix},
     {kInternal},
     {"All commits have one order, and each transaction reads from a prefix of it that holds all "
      "that its session did before.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (prefix consistency)", kOrders}},
}};
static_assert(in_order(kModelTable));

constexpr std::array<ModelAlias, 21> kModelAliases = {{
    {"conflict-serializable", kPl3},
    {"consistent-view", kPl2Plus},
    {"cursor-stability", kPlCs},
    {"forward-consistent-view", kPlFcv},
    {"monotonic-snapshot-read", kPlMsr},
    {"monotonic-view", kPl2L},
    {"read-committed", kPl2},
    {"read-uncommitted", kPl1},
    {"repeatable-read", kPl299},
    {"ser", kStrongSessionSerializable},
    {"serializable", kPl3},
    {"si", kStrongSessionSnapshotIsolation},
    {"snapshot-isolation", kPlSi},
    {"strict-serializable", kPlSs},
    {"strong-read-committed", kStrongPl2},
    {"strong-read-uncommitted", kStrongPl1},
    {"strong-serializable", kPlSs},
    {"strong-session-prefix", kPc},
    {"strong-session-read-committed", kStrongSessionPl2},
    {"strong-session-read-uncommitted", kStrongSessionPl1},
    {"update-serializable", kPl3U},
}};

constexpr std::array<AnomalyRow, kAnomalyTypeCount> kAnomalyTable = {{
    {kGMsr, "G-MSR"},
    {kGSi, "G-SI"},
    {kGSib, "G-SIb"},
    {kGCursor, "G-cursor"},
    {kGMonotonic, "G-monotonic"},
    {kGNonadjacent, "G-nonadjacent", {kGNonadjacentProcess, kG2}},
    {kGNonadjacentItem, "G-nonadjacent-item", {kGNonadjacent, kGNonadjacentItemProcess, kG2Item}},
    {kGNonadjacentItemProcess,
     "G-nonadjacent-item-process",
     {kGNonadjacentItemRealtime, kGNonadjacentProcess, kG2ItemProcess}},
    {kGNonadjacentItemRealtime,
     "G-nonadjacent-item-realtime",
     {kGNonadjacentRealtime, kG2ItemRealtime}},
    {kGNonadjacentProcess, "G-nonadjacent-process", {kGNonadjacentRealtime, kG2Process}},
    {kGNonadjacentRealtime, "G-nonadjacent-realtime", {kG2Realtime}},
    {kGSingle, "G-single", {kGNonadjacent, kGSingleProcess, kGSIb}},
    {kGSingleItem, "G-single-item", {kGNonadjacentItem, kGSingle, kGSingleItemProcess}},
    {kGSingleItemProcess,
     "G-single-item-process",
     {kGNonadjacentItemProcess, kGSingleItemRealtime, kGSingleProcess}},
    {kGSingleItemRealtime, "G-single-item-realtime", {kGNonadjacentItemRealtime, kGSingleRealtime}},
    {kGSingleProcess, "G-single-process", {kGNonadjacentProcess, kGSingleRealtime}},
    {kGSingleRealtime, "G-single-realtime", {kGNonadjacentRealtime}},
    {kGUpdate, "G-update"},
    {kG0, "G0", {kG0Process, kG1c}},
    {kG0Process, "G0-process", {kG0Realtime, kG1cProcess}},
    {kG0Realtime, "G0-realtime", {kG1cRealtime}},
    {kG1, "G1", {kG1Process}},
    {kG1Process, "G1-process", {kG1Realtime}},
    {kG1Realtime, "G1-realtime"},
    {kG1a, "G1a", {kG1}},
    {kG1b, "G1b", {kG1}},
    {kG1c, "G1c", {kG1, kG1cProcess}},
    {kG1cProcess, "G1c-process", {kG1Process, kG1cRealtime}},
    {kG1cRealtime, "G1c-realtime", {kG1Realtime}},
    {kG2, "G2", {kG2Process}},
    {kG2Item, "G2-item", {kG2, kG2ItemProcess}},
    {kG2ItemProcess, "G2-item-process", {kG2ItemRealtime, kG2Process}},
    {kG2ItemRealtime, "G2-item-realtime", {kG2Realtime}},
    {kG2Process, "G2-process", {kG2Realtime}},
    {kG2Realtime, "G2-realtime"},
    {kGSI, "GSI"},
    {kGSIa, "GSIa", {kGSI}},
    {kGSIb, "GSIb", {kGSI}},
    {kPl1CycleExists, "PL-1-cycle-exists"},
    {kPl2CycleExists, "PL-2-cycle-exists"},
    {kPl299CycleExists, "PL-2.99-cycle-exists"},
    {kPl3CycleExists, "PL-3-cycle-exists"},
    {kPlSiCycleExists, "PL-SI-cycle-exists"},
    {kPlSsCycleExists, "PL-SS-cycle-exists"},
    {kCycleSearchTimeout, "cycle-search-timeout"},
    {kCyclicVersions, "cyclic-versions"},
    {kDirtyUpdate, "dirty-update", {kG1a}},
    {kDuplicateElements, "duplicate-elements"},
    {kEmptyTransactionGraph, "empty-transaction-graph"},
    {kFutureRead, "future-read", {kG1c}},
    {kGarbageRead, "garbage-read", {kG1}},
    {kIncompatibleOrder, "incompatible-order", {kG1a}},
    {kInternal, "internal"},
    {kLostUpdate, "lost-update", {kG2Item, kWriteSkew}},
    {kMixedLevels, "mixed-levels"},
    {kPredicateReadMiss, "predicate-read-miss"},
    {kStrongPl1CycleExists, "strong-PL-1-cycle-exists"},
    {kStrongPl2CycleExists, "strong-PL-2-cycle-exists"},
    {kStrongSessionPl1CycleExists, "strong-session-PL-1-cycle-exists"},
    {kStrongSessionPl2CycleExists, "strong-session-PL-2-cycle-exists"},
    {kStrongSessionSerializableCycleExists, "strong-session-serializable-cycle-exists"},
    {kStrongSessionSnapshotIsolationCycleExists, "strong-session-snapshot-isolation-cycle-exists"},
    {kStrongSnapshotIsolationCycleExists, "strong-snapshot-isolation-cycle-exists"},
    {kWriteSkew, "write-skew", {kG2}},
}};
static_assert(in_order(kAnomalyTable));

}  // namespace elapid
