// Consistency models and anomalies: names, implications, and what each model proscribes.
//
// The tables follow Elle (jepsen-io/elle, namespace elle.consistency-model): Adya's thesis, "Weak
// Consistency" (1999), for PL-1 ... PL-3 and their phenomena; Cerone, Bernardi and Gotsman, "A
// Framework for Transactional Consistency Models with Atomic Visibility" (CONCUR 2015) for the
// -cerone, prefix, parallel-snapshot-isolation and update-atomic models; Bailis et al., "Highly
// Available Transactions" (VLDB 2014) for monotonic-atomic-view and the session guarantees.
// garbage-read and mixed-levels are ours: the one counts as G1, the other rules out no model. So
// are rc, ra, cc and pc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/levels/enum_set.h"

namespace elapid {

/// Canonical consistency models, in Elle's names. Aliases map onto these.
enum class Model : std::uint8_t {
  kOneSr,
  kPl1,
  kPl2,
  kPl2Plus,
  kPl299,
  kPl2L,
  kPl3,
  kPl3U,
  kPlCs,
  kPlFcv,
  kPlMsr,
  kPlSi,
  kPlSs,
  kPram,
  kCausal,
  kCausalCerone,
  kLinearizable,
  kMonotonicAtomicView,
  kMonotonicReads,
  kMonotonicWrites,
  kParallelSnapshotIsolation,
  kPrefix,
  kReadAtomic,
  kReadYourWrites,
  kSequential,
  kSessionSerializable,
  kStrongPl1,
  kStrongPl2,
  kStrongSessionPl1,
  kStrongSessionPl2,
  kStrongSessionSerializable,
  kStrongSessionSnapshotIsolation,
  kStrongSnapshotIsolation,
  kUpdateAtomic,
  kViewSerializable,
  kWritesFollowReads,
  // Not Elle's: what Biswas and Enea, "On the Complexity of Checking Transactional Consistency"
  // (OOPSLA 2019), call by these names, session order included.
  kRc,
  kRa,
  kCc,
  kPc,
};
inline constexpr std::size_t kModelCount = 40;
using ModelSet = EnumSet<Model, kModelCount>;

/// Anomalies, in Elle's spelling. The order is that of their names (as Elle sorts them).
enum class AnomalyType : std::uint8_t {
  kGMsr,
  kGSi,
  kGSib,
  kGCursor,
  kGMonotonic,
  kGNonadjacent,
  kGNonadjacentItem,
  kGNonadjacentItemProcess,
  kGNonadjacentItemRealtime,
  kGNonadjacentProcess,
  kGNonadjacentRealtime,
  kGSingle,
  kGSingleItem,
  kGSingleItemProcess,
  kGSingleItemRealtime,
  kGSingleProcess,
  kGSingleRealtime,
  kGUpdate,
  kG0,
  kG0Process,
  kG0Realtime,
  kG1,
  kG1Process,
  kG1Realtime,
  kG1a,
  kG1b,
  kG1c,
  kG1cProcess,
  kG1cRealtime,
  kG2,
  kG2Item,
  kG2ItemProcess,
  kG2ItemRealtime,
  kG2Process,
  kG2Realtime,
  kGSI,
  kGSIa,
  kGSIb,
  kPl1CycleExists,
  kPl2CycleExists,
  kPl299CycleExists,
  kPl3CycleExists,
  kPlSiCycleExists,
  kPlSsCycleExists,
  kCycleSearchTimeout,
  kCyclicVersions,
  kDirtyUpdate,
  kDuplicateElements,
  kEmptyTransactionGraph,
  kFutureRead,
  kGarbageRead,
  kIncompatibleOrder,
  kInternal,
  kLostUpdate,
  kMixedLevels,
  kPredicateReadMiss,
  kStrongPl1CycleExists,
  kStrongPl2CycleExists,
  kStrongSessionPl1CycleExists,
  kStrongSessionPl2CycleExists,
  kStrongSessionSerializableCycleExists,
  kStrongSessionSnapshotIsolationCycleExists,
  kStrongSnapshotIsolationCycleExists,
  kWriteSkew,
};
inline constexpr std::size_t kAnomalyTypeCount = 64;
using AnomalySet = EnumSet<AnomalyType, kAnomalyTypeCount>;

// Names. The strings have no leading colon.

/// Elle's name of an anomaly, as `G-single-item`. In the source: :G-SI is kGSi, :GSI is kGSI.
[[nodiscard]] std::string_view name(AnomalyType type);
/// The name Elle prints for a model, as `strong-serializable` for PL-SS.
[[nodiscard]] std::string_view friendly_name(Model model);
/// The canonical name, as `PL-SS`.
[[nodiscard]] std::string_view canonical_name(Model model);
/// Accepts the names above, with or without a leading colon.
[[nodiscard]] std::optional<AnomalyType> find_anomaly(std::string_view name);
/// Accepts canonical names, friendly names and aliases, with or without a leading colon.
[[nodiscard]] std::optional<Model> find_model(std::string_view name);
/// Up to `limit` accepted model names that resemble a misspelt one, closest first. Capitals, and
/// underscores or blanks for hyphens, are no difference.
[[nodiscard]] std::vector<std::string> similar_models(std::string_view name, std::size_t limit = 3);
[[nodiscard]] std::vector<std::string> similar_anomalies(std::string_view name,
                                                         std::size_t limit = 3);
/// Every accepted spelling of every model with its canonical model, sorted by spelling.
[[nodiscard]] std::vector<std::pair<std::string_view, Model>> all_model_names();

// The lattice.

/// The models that `model` directly implies (weaker ones).
[[nodiscard]] ModelSet implies_directly(Model model);
/// `models` and all weaker models implied by them.
[[nodiscard]] ModelSet all_implied(ModelSet models);
/// `models` and all stronger models, which are impossible where one of `models` is.
[[nodiscard]] ModelSet all_impossible(ModelSet models);
/// The anomalies that the presence of `types` counts as, themselves included.
[[nodiscard]] AnomalySet all_implied(AnomalySet types);
/// The anomalies whose presence counts as one of `types`, themselves included.
[[nodiscard]] AnomalySet all_implying(AnomalySet types);
[[nodiscard]] AnomalySet proscribed_directly(Model model);

// Levels that an order of events defines (order_evidence.h).

/// What the transactions of a history read, and when their writes take effect.
enum class Visibility : std::uint8_t {
  kSerial,    ///< a transaction is one event
  kSnapshot,  ///< reads at its start, writes at its commit; writers of one key do not overlap
  kPrefix,    ///< the same, but they may overlap
  // What a read sees does not depend on when its transaction starts. A transaction is one event,
  // the commit; of two writers of a key, one that is visible to a read comes before the one that
  // the read saw. Visible are the transactions ...
  kCausal,             ///< that lead to the reader through reads and sessions
  kReadAtomic,         ///< that the reader read from, or that came before it in its session
  kReadCommitted,      ///< that it had read from before, in the order of its operations
  kPram,               ///< of the next four but kWritesFollowReads
  kWritesFollowReads,  ///< that some transaction of a session had read from, up to one read from
  kMonotonicWrites,    ///< that came before one that it read from, in that one's session
  kMonotonicReads,     ///< that its session had read from before
  kReadYourWrites,     ///< that came before it in its session
  kNothing,            ///< none: reads are of committed final writes, in no circle
  kCursor,  ///< beside other levels alone: of the keys that the reader writes, those that come
            ///< before it in the commit order
};

/// Whether a transaction starts and commits at different times.
[[nodiscard]] constexpr bool has_two_events(Visibility visibility) {
  return visibility == Visibility::kSnapshot || visibility == Visibility::kPrefix;
}

/// Whether all that is visible is known once it is known who read from whom: then no search is
/// needed (Biswas and Enea, OOPSLA 2019, section 4).
[[nodiscard]] constexpr bool is_saturable(Visibility visibility) {
  return visibility > Visibility::kPrefix;
}

/// Dependencies as edges between events: read-from leads from a commit to a start, anti-dependency
/// from a start to a commit, and ww to a start (kSnapshot) or a commit (kPrefix). Session order and
/// real time, where they count, lead from commits to starts. A recorded initial transaction comes
/// first.
struct OrderLevel {
  Visibility visibility = Visibility::kSerial;
  bool sessions = false;
  bool real_time = false;
  friend bool operator==(OrderLevel, OrderLevel) = default;
};

/// Whether all reads of a key by one transaction, before it writes the key, must agree.
[[nodiscard]] constexpr bool reads_one_state(OrderLevel level) {
  return level.visibility <= Visibility::kReadAtomic;
}

/// Whether reads after own writes must show these. Adya's read committed and monotonic atomic view
/// say nothing of them.
[[nodiscard]] constexpr bool reads_own_writes(OrderLevel level) {
  return level.visibility < Visibility::kNothing &&
         (level.visibility != Visibility::kReadCommitted || level.sessions);
}

/// The level that `model` is for histories of reads, writes and appends of items; nothing for
/// models that are not defined by an order of events. Adya 1999, 4.2 and 4.3 (PL-3, PL-SI), Cerone,
/// Bernardi and Gotsman 2015 (prefix), Biswas and Enea 2019 (the saturable ones); strict
/// serializability includes session order, as do the strong levels.
[[nodiscard]] std::optional<OrderLevel> order_level(Model model);

// Verdicts. These equal Elle's for every set of anomalies that Elle can find, which garbage-read is
// not.

/// Everything whose presence makes a history invalid when `models` are demanded and `extra`
/// anomalies are looked for.
[[nodiscard]] AnomalySet prohibited(ModelSet models, AnomalySet extra);
/// All models ruled out by the anomalies found.
[[nodiscard]] ModelSet impossible_models(AnomalySet found);

/// The boundary between what may hold and what cannot.
struct Boundary {
  ModelSet not_models;       ///< the weakest models ruled out
  ModelSet also_not_models;  ///< the others ruled out
};

[[nodiscard]] Boundary boundary(AnomalySet found);
/// The same of models that are known to be ruled out.
[[nodiscard]] Boundary boundary_of(ModelSet impossible);

/// What a model's name stands for and how far Elapid checks it.
struct ModelDescription {
  std::string_view definition;  ///< one sentence
  std::string_view source;      ///< who defined it, where
  /// What stands behind a `true`: as "complete for list-append; inference for rw-register".
  std::string_view completeness;
};

[[nodiscard]] ModelDescription describe(Model model);

/// The models that Elle knows.
[[nodiscard]] ModelSet models_of_elle();

}  // namespace elapid
