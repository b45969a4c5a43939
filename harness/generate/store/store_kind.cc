#include "harness/generate/store/store_kind.h"

#include <algorithm>
#include <array>

namespace elapid {

namespace {

/// Whether predicates have a meaning at the level (docs/predicates.md).
constexpr bool is_level_of_rows(Model model) {
  switch (model) {
    case Model::kPl2:
    case Model::kReadAtomic:
    case Model::kPlSi:
    case Model::kStrongSessionSnapshotIsolation:
    case Model::kStrongSnapshotIsolation:
    case Model::kPl3:
    case Model::kStrongSessionSerializable:
    case Model::kPlSs:
      return true;
    default:
      return false;
  }
}

constexpr StoreKind level_store(std::string_view name, Model keeps, View view, Conflicts conflicts,
                                bool sessions, std::string_view about) {
  return {.name = name,
          .about = about,
          .keeps_of_lists = keeps,
          .keeps_of_registers = keeps,
          .keeps_of_rows = is_level_of_rows(keeps) ? std::optional(keeps) : std::nullopt,
          .view = view,
          .conflicts = conflicts,
          .sessions = sessions};
}

// Levels that transactions may mix in one store.
constexpr StoreKind kReadCommittedStore =
    level_store("read-committed", Model::kPl2, View::kEachRead, Conflicts::kNone, false,
                "Each read shows some committed version, older or newer than the last");
constexpr StoreKind kPrefixStore =
    level_store("prefix", Model::kPrefix, View::kPast, Conflicts::kNone, false,
                "A transaction reads the state at some moment in the past, and always commits");
constexpr StoreKind kSnapshotStore =
    level_store("snapshot-isolation", Model::kPlSi, View::kPast, Conflicts::kUnseenWrites, false,
                "The same, but aborts where a key that it writes was written since");
constexpr StoreKind kSerializableStore = level_store(
    "serializable", Model::kPl3, View::kPastToRead, Conflicts::kStaleReads, false,
    "Aborts a transaction whose reads have changed; one that only reads may see the past");

constexpr std::array<const StoreKind*, 4> kMixed = {&kReadCommittedStore, &kPrefixStore,
                                                    &kSnapshotStore, &kSerializableStore};

constexpr std::array kStoreKinds = {
    level_store("read-uncommitted", Model::kPl1, View::kDirty, Conflicts::kWaitForWriters, false,
                "Reads show writes that are not committed; a writer locks its keys until it ends"),
    kReadCommittedStore,
    level_store("monotonic-atomic-view", Model::kMonotonicAtomicView, View::kEachReadAtomic,
                Conflicts::kNone, false,
                "The same, but a read misses nothing of a transaction that was read from before"),
    level_store("read-atomic", Model::kReadAtomic, View::kAnyCommits, Conflicts::kNone, false,
                "A transaction sees other transactions whole or not at all, in no order"),
    level_store(
        "causal", Model::kCausal, View::kCausal, Conflicts::kNone, true,
        "A transaction sees what its session did, and what the transactions that it sees had seen"),
    level_store("parallel-snapshot-isolation", Model::kParallelSnapshotIsolation, View::kCausal,
                Conflicts::kUnseenWrites, false,
                "The same without sessions; of two transactions that write a key unseen by one "
                "another, one aborts"),
    kPrefixStore,
    kSnapshotStore,
    level_store("strong-session-snapshot-isolation", Model::kStrongSessionSnapshotIsolation,
                View::kPast, Conflicts::kUnseenWrites, true,
                "Snapshot isolation whose snapshots hold what the session saw and did before"),
    level_store("strong-snapshot-isolation", Model::kStrongSnapshotIsolation, View::kNow,
                Conflicts::kUnseenWrites, true,
                "Snapshot isolation whose snapshots are of when the transaction begins"),
    kSerializableStore,
    level_store("strong-session-serializable", Model::kStrongSessionSerializable, View::kPastToRead,
                Conflicts::kStaleReads, true,
                "The same, but no transaction sees less than its session saw before"),
    level_store("strict-serializable", Model::kPlSs, View::kNow, Conflicts::kStaleReads, true,
                "Serializable in the order of real time"),
    StoreKind{.name = "stale-replicas",
              .about = "Strictly serializable writes at a leader, reads at replicas that lag "
                       "behind it; keeps serializable",
              .keeps_of_lists = Model::kPl3,
              .keeps_of_registers = Model::kPl3,
              .keeps_of_rows = Model::kPl3,
              .view = View::kReplica,
              .conflicts = Conflicts::kStaleReads},
    StoreKind{.name = "mixed-levels",
              .about = "Each transaction asks for a level of its own: read-committed, prefix, "
                       "snapshot-isolation or serializable",
              .keeps_of_lists = Model::kPl2,
              .keeps_of_registers = Model::kPl2,
              .view = View::kPast,
              .mixes = kMixed},
    StoreKind{.name = "lossy-failover",
              .about = "Strictly serializable until its leader fails: the next one lacks the last "
                       "commits; keeps causal-cerone of registers, and of lists nothing",
              .keeps_of_registers = Model::kCausalCerone,
              .view = View::kNow,
              .conflicts = Conflicts::kStaleReads,
              .sessions = true,
              .loses_tail = true},
};

}  // namespace

std::span<const StoreKind> store_kinds() {
  return kStoreKinds;
}

const StoreKind* find_store(std::string_view name) {
  const auto named = std::ranges::find(kStoreKinds, name, &StoreKind::name);
  if (named != kStoreKinds.end()) {
    return &*named;
  }
  const std::optional<Model> model = find_model(name);
  const auto kept = std::ranges::find_if(kStoreKinds, [&](const StoreKind& kind) {
    return model && model == kind.keeps_of_lists && !kind.loses_tail &&
           kind.view != View::kReplica && kind.mixes.empty();
  });
  return kept == kStoreKinds.end() ? nullptr : &*kept;
}

}  // namespace elapid
