// Consistency models and anomalies: names, implications, and the anomalies that models proscribe.
//
// The tables follow Elle (jepsen-io/elle, namespace elle.consistency-model): Adya's thesis, "Weak
// Consistency" (1999), for PL-1 ... PL-3 and their phenomena; Cerone, Bernardi and Gotsman, "A
// Framework for Transactional Consistency Models with Atomic Visibility" (CONCUR 2015) for the
// -cerone, prefix, parallel-snapshot-isolation and update-atomic models; Bailis et al., "Highly
// Available Transactions" (VLDB 2014) for monotonic-atomic-view and the session guarantees. Ours
// are garbage-read, which counts as G1; mixed-levels, which rules out no model; rc, ra, cc and pc.
// Elle has none of these.
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
  // Not Elle's: the models of these names in Biswas and Enea, "On the Complexity of Checking
  // Transactional Consistency" (OOPSLA 2019), with session order.
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
/// The anomaly of this name; a leading colon is allowed.
[[nodiscard]] std::optional<AnomalyType> find_anomaly(std::string_view name);
/// The model of this canonical name, friendly name or alias; a leading colon is allowed.
[[nodiscard]] std::optional<Model> find_model(std::string_view name);
/// Up to `limit` accepted model names that resemble a misspelt one, closest first. Capitals, and
/// underscores or blanks instead of hyphens, make no difference.
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
/// `models` and all stronger models. They cannot hold if one of `models` does not.
[[nodiscard]] ModelSet all_impossible(ModelSet models);
/// The anomalies that `types` count as, themselves included.
[[nodiscard]] AnomalySet all_implied(AnomalySet types);
/// The anomalies that count as one of `types`, themselves included.
[[nodiscard]] AnomalySet all_implying(AnomalySet types);
[[nodiscard]] AnomalySet proscribed_directly(Model model);

// Levels that an order of events defines (order_evidence.h).

/// The states that transactions read, and the times at which their writes take effect.
enum class Visibility : std::uint8_t {
  kSerial,    ///< a transaction is one event
  kSnapshot,  ///< reads at its start, writes at its commit; writers of one key do not overlap
  kPrefix,    ///< the same, but writers of one key may overlap
  // A transaction is one event, the commit. A read does not depend on its transaction's start. Of
  // the writers of its key, those visible to it come before the one that it saw. Visible are the
  // transactions ...
  kCausal,             ///< that lead to the reader through reads and sessions
  kReadAtomic,         ///< that the reader read from, or that came before it in its session
  kReadCommitted,      ///< that the reader had read from before that read
  kPram,               ///< of the next four levels except kWritesFollowReads
  kWritesFollowReads,  ///< that X read from, if the reader read from X or later in X's session
  kMonotonicWrites,    ///< that precede, in its session, a transaction that the reader read from
  kMonotonicReads,     ///< that the reader's session had read from before
  kReadYourWrites,     ///< that precede the reader in its session
  kNothing,            ///< none; reads show committed final writes, and read-from is acyclic
  kCursor,  ///< in mixes of levels only: that write a key which the reader writes too, and come
            ///< before it in the commit order
};

/// Whether a transaction starts and commits at different times.
[[nodiscard]] constexpr bool has_two_events(Visibility visibility) {
  return visibility == Visibility::kSnapshot || visibility == Visibility::kPrefix;
}

/// Whether the writers that reads saw determine all visible transactions. Then no search is needed
/// (Biswas and Enea, OOPSLA 2019, section 4).
[[nodiscard]] constexpr bool is_saturable(Visibility visibility) {
  return visibility > Visibility::kPrefix;
}

/// Dependencies are edges between events. Read-from leads from a commit to a start, an
/// anti-dependency from a start to a commit, and ww to a start (kSnapshot) or a commit (kPrefix).
/// Session order and real time lead from commits to starts, if the level has them. A recorded
/// initial transaction comes first.
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

/// Whether reads after the transaction's own writes must show these. Adya's read committed and
/// monotonic atomic view do not demand it.
[[nodiscard]] constexpr bool reads_own_writes(OrderLevel level) {
  return level.visibility < Visibility::kNothing &&
         (level.visibility != Visibility::kReadCommitted || level.sessions);
}

/// The order of events that defines `model` for histories of reads, writes and appends of items;
/// nothing for models that are defined another way. Adya 1999, 4.2 and 4.3 (PL-3, PL-SI), Cerone,
/// Bernardi and Gotsman 2015 (prefix), Biswas and Enea 2019 (the saturable ones). Strict
/// serializability and the strong levels include session order.
[[nodiscard]] std::optional<OrderLevel> order_level(Model model);

// Verdicts. These equal Elle's for every set of anomalies that Elle can find. Elle does not find
// garbage-read.

/// The anomalies that make a history invalid if `models` are demanded and the anomalies `extra` are
/// looked for.
[[nodiscard]] AnomalySet prohibited(ModelSet models, AnomalySet extra);
/// The models that these anomalies rule out.
[[nodiscard]] ModelSet impossible_models(AnomalySet found);

/// The weakest models that are ruled out, and the others.
struct Boundary {
  ModelSet not_models;       ///< the weakest models ruled out
  ModelSet also_not_models;  ///< the others ruled out
};

[[nodiscard]] Boundary boundary(AnomalySet found);
/// The boundary if exactly these models are ruled out.
[[nodiscard]] Boundary boundary_of(ModelSet impossible);

/// The meaning of a model, and how far Elapid checks it.
struct ModelDescription {
  std::string_view definition;  ///< one sentence
  std::string_view source;      ///< the authors and the publication of the definition
  /// The basis of a `true`, as "complete for list-append; inference for rw-register".
  std::string_view completeness;
};

[[nodiscard]] ModelDescription describe(Model model);

/// The models that Elle knows.
[[nodiscard]] ModelSet models_of_elle();

}  // namespace elapid
