#include "engine/levels/models_tables.h"

#include <cstddef>
#include <initializer_list>

namespace elapid {
namespace {

using enum Model;
using enum AnomalyType;

template <class Set, class Member>
constexpr Set set_of(std::initializer_list<Member> members) {
  unsigned long long bits = 0;
  for (const Member member : members) {
    bits |= 1ULL << static_cast<unsigned>(member);
  }
  return Set(bits);
}

constexpr ModelSet models(std::initializer_list<Model> members) {
  static_assert(kModelCount <= 64);
  return set_of<ModelSet>(members);
}

constexpr AnomalySet anomalies(std::initializer_list<AnomalyType> members) {
  static_assert(kAnomalyTypeCount <= 64);
  return set_of<AnomalySet>(members);
}

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

// How far a check goes, where several models share the answer.
constexpr std::string_view kDependencies =
    "list-append: complete where reads show every element; rw-register: as far as version orders "
    "can be inferred; no predicates";
constexpr std::string_view kWithinBudget =
    "list-append: complete where reads show every element and the search for cycles ends within "
    "its budget; rw-register: as far as version orders can be inferred; no predicates";
constexpr std::string_view kOrders =
    "complete: inference, then a search for an order of events; no predicates";
constexpr std::string_view kCircles =
    "complete where reads show every element of lists, and for registers; no predicates";
constexpr std::string_view kSaturated =
    "complete: all edges that reads force, in polynomial time; where values repeat, with a search "
    "for their writers; no predicates, no list that shows an element appended twice";
constexpr std::string_view kSameAsSerializable =
    "complete: of histories that tell nothing of the final state the same question as "
    "serializable; "
    "no predicates";
constexpr std::string_view kSameAsSessionSerializable =
    "complete where each operation is a whole transaction: the same question as "
    "strong-session-serializable; no predicates";
constexpr std::string_view kSameAsStrict =
    "complete where each operation is a whole transaction: the same question as "
    "strict-serializable; no predicates";
constexpr std::string_view kConsistentAndAtomic =
    "as consistent-view and read-atomic, which together ask the same; no predicates";
constexpr std::string_view kByOthers =
    "sound, not complete: invalid where a level that it implies is violated, valid where one that "
    "implies it holds, else unknown; no predicates";
constexpr std::string_view kByConsistentView =
    "as consistent-view, which asks the same of histories that do not tell when transactions "
    "started; no predicates";

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
     anomalies({kG0, kPl1CycleExists, kCyclicVersions, kDuplicateElements}),
     {"The writes of transactions do not interleave: no cycle of write dependencies (G0).",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-1)", kDependencies}},
    {kPl2,
     "PL-2",
     "read-committed",
     models({kPl1}),
     anomalies({kG1, kPl2CycleExists}),
     {"Only final versions of committed transactions are read, and no transactions depend on one "
      "another in a circle: no G1.",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-2)", kCircles}},
    {kPl2Plus,
     "PL-2+",
     "consistent-view",
     models({kPl2L, kPlCs}),
     anomalies({kGSingle, kG1}),
     {"A transaction that depends on another misses none of its effects: no G1, no cycle with "
      "exactly one anti-dependency (G-single).",
      "Adya, thesis 1999, chapter 4 (PL-2+)", kWithinBudget}},
    {kPl299,
     "PL-2.99",
     "repeatable-read",
     models({kPlCs, kMonotonicAtomicView}),
     anomalies({kG1, kG2Item, kPl299CycleExists, kLostUpdate}),
     {"Serializable but for predicates: no G1, no cycle whose anti-dependencies are all on items "
      "(G2-item).",
      "Adya, Liskov and O'Neil, ICDE 2000 (PL-2.99)", kOrders}},
    {kPl2L,
     "PL-2L",
     "monotonic-view",
     models({kPl2}),
     anomalies({kGMonotonic, kG1}),
     {"Once a transaction has read from another, its later reads miss none of the other's effects: "
      "no G1, no G-monotonic.",
      "Adya, thesis 1999, chapter 4 (PL-2L)", kByOthers}},
    {kPl3,
     "PL-3",
     "serializable",
     models({kPl299, kPl3U, kPlSi, kViewSerializable}),
     anomalies({kG1, kG2, kPl3CycleExists, kInternal, kPredicateReadMiss}),
     {"The dependencies among committed transactions agree with some serial order: no G1, no G2.",
      "Bernstein, Hadzilacos and Goodman (1987); Adya, Liskov and O'Neil, ICDE 2000 (PL-3)",
      kOrders}},
    {kPl3U,
     "PL-3U",
     "update-serializable",
     models({kPlFcv}),
     anomalies({kGUpdate, kG1}),
     {"Update transactions are serializable, also together with any single read-only transaction: "
      "no G1, no G-update.",
      "Adya, thesis 1999, chapter 4 (PL-3U)", kByOthers}},
    {kPlCs,
     "PL-CS",
     "cursor-stability",
     models({kPl2}),
     anomalies({kGCursor, kG1, kLostUpdate}),
     {"An item does not change between a read through a cursor and the write that follows it: no "
      "G1, no G-cursor.",
      "Berenson et al., SIGMOD 1995; Adya, thesis 1999, chapter 4 (PL-CS)", kByOthers}},
    {kPlFcv,
     "PL-FCV",
     "forward-consistent-view",
     models({kPl2Plus}),
     anomalies({kGSib, kG1}),
     {"Consistent-view, and no transaction misses effects of one that committed before it began: "
      "no G1, no G-SIb.",
      "Adya, thesis 1999, chapter 4 (PL-FCV)", kByConsistentView}},
    {kPlMsr,
     "PL-MSR",
     "monotonic-snapshot-read",
     models({kPl2}),
     anomalies({kGMsr, kG1}),
     {"Each read sees a committed snapshot, and within a transaction snapshots never go back: no "
      "G1, no G-MSR.",
      "Adya, thesis 1999, chapter 4 (PL-MSR)", kByOthers}},
    {kPlSi,
     "PL-SI",
     "snapshot-isolation",
     models({kPlFcv, kPlMsr, kMonotonicAtomicView, kParallelSnapshotIsolation, kPrefix}),
     anomalies({kGSi, kGNonadjacent, kG1, kPlSiCycleExists, kInternal}),
     {"Each transaction reads from one committed snapshot, which may be old, and of those that "
      "overlap only one writes a key: no G1, no cycle without adjacent anti-dependencies.",
      "Berenson et al., SIGMOD 1995; Adya, thesis 1999, chapter 4 (PL-SI); here without start "
      "times or sessions",
      kOrders}},
    {kPlSs,
     "PL-SS",
     "strong-serializable",
     models({kPl3, kPlSi, kLinearizable, kSessionSerializable, kStrongSessionSerializable,
             kStrongSnapshotIsolation}),
     anomalies({kG1, kG1cRealtime, kG2Realtime, kPlSsCycleExists}),
     {"Serializable in an order where whatever ended before a transaction began comes before it.",
      "Papadimitriou, JACM 1979; Herlihy and Wing, TOPLAS 1990; Adya (PL-SS)", kOrders}},
    {kPram,
     "PRAM",
     "PRAM",
     models({kMonotonicReads, kMonotonicWrites, kReadYourWrites}),
     {},
     {"Monotonic-reads, monotonic-writes and read-your-writes together: each session's writes are "
      "seen in its order.",
      "Lipton and Sandberg 1988; Bailis et al., VLDB 2014", kSaturated}},
    {kCausal,
     "causal",
     "causal",
     models({kPram, kWritesFollowReads}),
     {},
     {"What is related through sessions and reads is seen in that order by everyone.",
      "Ahamad et al. 1995; Bailis et al., VLDB 2014; Biswas and Enea, OOPSLA 2019", kSaturated}},
    {kCausalCerone,
     "causal-cerone",
     "causal-cerone",
     models({kReadAtomic}),
     anomalies({kG1a, kInternal}),
     {"Read-atomic, and a transaction sees whatever was seen by those it sees.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015", kSaturated}},
    {kLinearizable,
     "linearizable",
     "linearizable",
     models({kSequential}),
     {},
     {"Each operation takes effect at one instant between its invocation and its completion.",
      "Herlihy and Wing, TOPLAS 1990", kSameAsStrict}},
    {kMonotonicAtomicView,
     "monotonic-atomic-view",
     "monotonic-atomic-view",
     models({kPl2}),
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
     models({kCausalCerone, kUpdateAtomic}),
     anomalies({kG1a, kInternal}),
     {"Snapshot isolation whose snapshots need only be causal: unrelated transactions may be seen "
      "in different orders.",
      "Sovran et al., SOSP 2011; Cerone, Bernardi and Gotsman, CONCUR 2015", kConsistentAndAtomic}},
    {kPrefix,
     "prefix",
     "prefix",
     models({kCausalCerone}),
     anomalies({kG1a, kInternal}),
     {"All commits have one order, and each transaction reads from a prefix of it.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015", kOrders}},
    {kReadAtomic,
     "read-atomic",
     "read-atomic",
     models({kMonotonicAtomicView}),
     anomalies({kG1a, kFutureRead, kInternal}),
     {"Others see all effects of a transaction or none, and it reads what it wrote itself.",
      "Bailis et al., SIGMOD 2014; Cerone, Bernardi and Gotsman, CONCUR 2015", kSaturated}},
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
     models({kCausal}),
     {},
     {"All operations have one order that agrees with the order of each session.",
      "Lamport, IEEE Transactions on Computers 1979", kSameAsSessionSerializable}},
    {kSessionSerializable,
     "session-serializable",
     "session-serializable",
     models({kOneSr}),
     {},
     {"One-copy serializable in an order that agrees with the order of each session.",
      "Zuikeviciute and Pedone, Correctness Criteria for Database Replication (2008)",
      kSameAsSessionSerializable}},
    {kStrongPl1,
     "strong-PL-1",
     "strong-read-uncommitted",
     models({kStrongSessionPl1}),
     anomalies({kG0Realtime, kStrongPl1CycleExists}),
     {"Read-uncommitted where real-time order counts as a dependency: no G0-realtime.",
      "a generalisation of Adya's PL-1 made by Elle", kDependencies}},
    {kStrongPl2,
     "strong-PL-2",
     "strong-read-committed",
     models({kStrongPl1, kStrongSessionPl2}),
     anomalies({kG1cRealtime, kStrongPl2CycleExists}),
     {"Read-committed where real-time order counts as a dependency: no G1c-realtime.",
      "a generalisation of Adya's PL-2 made by Elle", kCircles}},
    {kStrongSessionPl1,
     "strong-session-PL-1",
     "strong-session-read-uncommitted",
     models({kPl1}),
     anomalies({kG0Process, kStrongSessionPl1CycleExists}),
     {"Read-uncommitted where session order counts as a dependency: no G0-process.",
      "a generalisation of Adya's PL-1 made by Elle", kDependencies}},
    {kStrongSessionPl2,
     "strong-session-PL-2",
     "strong-session-read-committed",
     models({kPl2, kStrongSessionPl1}),
     anomalies({kG1cProcess, kStrongSessionPl2CycleExists}),
     {"Read-committed where session order counts as a dependency: no G1c-process.",
      "a generalisation of Adya's PL-2 made by Elle", kCircles}},
    {kStrongSessionSerializable,
     "strong-session-serializable",
     "strong-session-serializable",
     models({kPl3, kStrongSessionSnapshotIsolation}),
     anomalies({kG1Process, kG2Process, kStrongSessionSerializableCycleExists}),
     {"Serializable in an order that agrees with the order of each session.",
      "Daudjee and Salem, ICDE 2004", kOrders}},
    {kStrongSessionSnapshotIsolation,
     "strong-session-snapshot-isolation",
     "strong-session-snapshot-isolation",
     models({kPlSi, kStrongSessionPl2, kPc}),
     anomalies(
         {kGNonadjacentProcess, kG1Process, kInternal, kStrongSessionSnapshotIsolationCycleExists}),
     {"Snapshot isolation where a snapshot holds all that its session did before.",
      "Daudjee and Salem, VLDB 2006; Cerone and Gotsman, PODC 2016", kOrders}},
    {kStrongSnapshotIsolation,
     "strong-snapshot-isolation",
     "strong-snapshot-isolation",
     models({kStrongPl2, kStrongSessionSnapshotIsolation}),
     anomalies(
         {kGNonadjacentRealtime, kG1Realtime, kInternal, kStrongSnapshotIsolationCycleExists}),
     {"Snapshot isolation where a snapshot holds all that ended before its transaction began.",
      "Daudjee and Salem, VLDB 2006", kOrders}},
    {kUpdateAtomic,
     "update-atomic",
     "update-atomic",
     models({kReadAtomic}),
     anomalies({kLostUpdate}),
     {"Read-atomic, and of two transactions that write a key one sees the other.",
      "Cerone, Bernardi and Gotsman, CONCUR 2015; Liu et al., FASE 2018", kByOthers}},
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
     {"Whoever sees a write also sees the writes that its session had read before making it.",
      "Terry et al., PDIS 1994; Bailis et al., VLDB 2014", kSaturated}},
    {kRc,
     "rc",
     "rc",
     models({kStrongSessionPl2, kMonotonicAtomicView}),
     {},
     {"Once a transaction has read from another, its later reads see nothing older of the keys "
      "that "
      "the other wrote: read committed whose reads never go back.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (read committed)", kSaturated}},
    {kRa,
     "ra",
     "ra",
     models({kRc, kReadAtomic, kReadYourWrites}),
     anomalies({kInternal}),
     {"A transaction sees all writes of those it reads from, and of those before it in its "
      "session.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (read atomic)", kSaturated}},
    {kCc,
     "cc",
     "cc",
     models({kRa, kCausal}),
     anomalies({kInternal}),
     {"A transaction sees all writes of those that lead to it through reads and sessions.",
      "Biswas and Enea, OOPSLA 2019, figure 2 (causal consistency)", kSaturated}},
    {kPc,
     "pc",
     "pc",
     models({kCc, kPrefix}),
     anomalies({kInternal}),
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
    {kGNonadjacent, "G-nonadjacent", anomalies({kGNonadjacentProcess, kG2})},
    {kGNonadjacentItem, "G-nonadjacent-item",
     anomalies({kGNonadjacent, kGNonadjacentItemProcess, kG2Item})},
    {kGNonadjacentItemProcess, "G-nonadjacent-item-process",
     anomalies({kGNonadjacentItemRealtime, kGNonadjacentProcess, kG2ItemProcess})},
    {kGNonadjacentItemRealtime, "G-nonadjacent-item-realtime",
     anomalies({kGNonadjacentRealtime, kG2ItemRealtime})},
    {kGNonadjacentProcess, "G-nonadjacent-process", anomalies({kGNonadjacentRealtime, kG2Process})},
    {kGNonadjacentRealtime, "G-nonadjacent-realtime", anomalies({kG2Realtime})},
    {kGSingle, "G-single", anomalies({kGNonadjacent, kGSingleProcess, kGSIb})},
    {kGSingleItem, "G-single-item", anomalies({kGNonadjacentItem, kGSingle, kGSingleItemProcess})},
    {kGSingleItemProcess, "G-single-item-process",
     anomalies({kGNonadjacentItemProcess, kGSingleItemRealtime, kGSingleProcess})},
    {kGSingleItemRealtime, "G-single-item-realtime",
     anomalies({kGNonadjacentItemRealtime, kGSingleRealtime})},
    {kGSingleProcess, "G-single-process", anomalies({kGNonadjacentProcess, kGSingleRealtime})},
    {kGSingleRealtime, "G-single-realtime", anomalies({kGNonadjacentRealtime})},
    {kGUpdate, "G-update"},
    {kG0, "G0", anomalies({kG0Process, kG1c})},
    {kG0Process, "G0-process", anomalies({kG0Realtime, kG1cProcess})},
    {kG0Realtime, "G0-realtime", anomalies({kG1cRealtime})},
    {kG1, "G1", anomalies({kG1Process})},
    {kG1Process, "G1-process", anomalies({kG1Realtime})},
    {kG1Realtime, "G1-realtime"},
    {kG1a, "G1a", anomalies({kG1})},
    {kG1b, "G1b", anomalies({kG1})},
    {kG1c, "G1c", anomalies({kG1, kG1cProcess})},
    {kG1cProcess, "G1c-process", anomalies({kG1Process, kG1cRealtime})},
    {kG1cRealtime, "G1c-realtime", anomalies({kG1Realtime})},
    {kG2, "G2", anomalies({kG2Process})},
    {kG2Item, "G2-item", anomalies({kG2, kG2ItemProcess})},
    {kG2ItemProcess, "G2-item-process", anomalies({kG2ItemRealtime, kG2Process})},
    {kG2ItemRealtime, "G2-item-realtime", anomalies({kG2Realtime})},
    {kG2Process, "G2-process", anomalies({kG2Realtime})},
    {kG2Realtime, "G2-realtime"},
    {kGSI, "GSI"},
    {kGSIa, "GSIa", anomalies({kGSI})},
    {kGSIb, "GSIb", anomalies({kGSI})},
    {kPl1CycleExists, "PL-1-cycle-exists"},
    {kPl2CycleExists, "PL-2-cycle-exists"},
    {kPl299CycleExists, "PL-2.99-cycle-exists"},
    {kPl3CycleExists, "PL-3-cycle-exists"},
    {kPlSiCycleExists, "PL-SI-cycle-exists"},
    {kPlSsCycleExists, "PL-SS-cycle-exists"},
    {kCycleSearchTimeout, "cycle-search-timeout"},
    {kCyclicVersions, "cyclic-versions"},
    {kDirtyUpdate, "dirty-update", anomalies({kG1a})},
    {kDuplicateElements, "duplicate-elements"},
    {kEmptyTransactionGraph, "empty-transaction-graph"},
    {kFutureRead, "future-read", anomalies({kG1c})},
    {kGarbageRead, "garbage-read", anomalies({kG1})},
    {kIncompatibleOrder, "incompatible-order", anomalies({kG1a})},
    {kInternal, "internal"},
    {kLostUpdate, "lost-update", anomalies({kG2Item, kWriteSkew})},
    {kPredicateReadMiss, "predicate-read-miss"},
    {kStrongPl1CycleExists, "strong-PL-1-cycle-exists"},
    {kStrongPl2CycleExists, "strong-PL-2-cycle-exists"},
    {kStrongSessionPl1CycleExists, "strong-session-PL-1-cycle-exists"},
    {kStrongSessionPl2CycleExists, "strong-session-PL-2-cycle-exists"},
    {kStrongSessionSerializableCycleExists, "strong-session-serializable-cycle-exists"},
    {kStrongSessionSnapshotIsolationCycleExists, "strong-session-snapshot-isolation-cycle-exists"},
    {kStrongSnapshotIsolationCycleExists, "strong-snapshot-isolation-cycle-exists"},
    {kWriteSkew, "write-skew", anomalies({kG2})},
}};
static_assert(in_order(kAnomalyTable));

}  // namespace elapid
