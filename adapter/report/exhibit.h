// An exhibit: the data of an anomaly's pictures. It has the few transactions that show the anomaly,
// and the reasons why one comes before another.
//
// It is made of a description (engine/verdict/description.h) and the source of the history. The
// three views (graph, timeline, table of sessions) draw nothing else. For a lost update:
//
//   sessions  process 0, process 1
//   txns      T1 in session 0 with `read x = nil` and `append 1 to x`; T2 in session 1 ...
//   edges     a1.e1: T1 -rw-> T2, from T1's first operation to T2's second, on key x
//
// Each transaction, operation and edge has an anchor. Views, proof and raw lines mark their parts
// with `data-ref="a1.e1"`. So a page can highlight them together, and `report.html#a1.e1` is a link
// to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "adapter/elle/description_text.h"
#include "adapter/report/faults.h"
#include "engine/evidence/describe.h"
#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// A micro-operation, with long lists shortened to the relevant elements.
struct ExhibitOp {
  std::string anchor = {};   ///< `a1.t2.o3`: the third operation of the transaction
  std::string text = {};     ///< `append 1 to x`, `read x = [… 3 4 …]`
  bool is_in_focus = false;  ///< the evidence names it
  std::size_t skipped = 0;   ///< operations between the previous one and this one
};

struct ExhibitTxn {
  std::string anchor = {};  ///< `a1.t2`
  std::string label = {};   ///< `T2`
  std::string place = {};   ///< `history.edn:12`; `history.bincode, session 3, transaction 5`
  std::size_t session = 0;  ///< in Exhibit::sessions
  std::string level = {};   ///< the level that it asked for; or empty
  TxnStatus status = TxnStatus::kCommitted;
  bool is_reader_only = false;  ///< it only shows what others wrote
  /// Times in ns; nothing if the source has none.
  std::optional<std::int64_t> invoked = {};
  std::optional<std::int64_t> completed = {};
  /// Places among the events of the exhibit. The second is absent if the end is unknown.
  std::size_t first_event = 0;
  std::optional<std::size_t> last_event = {};
  /// The database's timestamps, if it has them (ns or logical).
  std::optional<std::int64_t> start_timestamp = {};
  std::optional<std::int64_t> commit_timestamp = {};
  std::vector<ExhibitOp> ops = {};
  std::size_t skipped = 0;  ///< operations after the last one
};

/// `from` comes before `to`.
struct ExhibitEdge {
  std::string anchor = {};  ///< `a1.e2`, of its claim: see claim_anchors.h
  std::size_t from = 0;     ///< in Exhibit::txns
  std::size_t to = 0;
  std::optional<std::size_t> from_op = {};  ///< in ExhibitTxn::ops
  std::optional<std::size_t> to_op = {};
  Relation relation = Relation::kWw;
  std::string key = {};        ///< `x`, `row 7`; empty for session order and real time
  std::string condition = {};  ///< the predicate that found or missed the row; or empty
  bool by_timestamps = false;  ///< of kRealtime: by the database's timestamps
  bool is_assumed = false;     ///< its group assumes it
  std::size_t by = 0;          ///< the label of the proof's part that shows it: `(1)`
  std::size_t group = 0;       ///< in Exhibit::groups
};

/// Edges that belong together.
struct ExhibitGroup {
  std::string title = {};    ///< `(1) T1 wrote before T2, for otherwise:`; empty for the first
  bool is_follower = false;  ///< another anomaly of the same transactions
};

/// The meaning of the axis of time.
enum class ExhibitAxis : std::uint8_t {
  kTime,        ///< clients' times
  kTimestamps,  ///< start and commit, as the database says
  kEvents,      ///< only the order of events is known
  kSessions,    ///< only the order within each session is known
};

/// An act of a nemesis while the exhibit's transactions ran. Only kTime and kEvents have these: the
/// other axes cannot place a nemesis.
struct ExhibitFault {
  std::string label = {};  ///< `kill`
  std::string words = {};  ///< `kill #{"n1"}, from 3.2 s before T1 until 0.4 s after T2`
  bool lasts = false;      ///< if not, it is one moment, the first
  /// With kTime: ns. Nothing if it is before the first transaction began, or after the last one
  /// ended.
  std::optional<std::int64_t> from = {};
  std::optional<std::int64_t> to = {};
  /// With kEvents: the number of the exhibit's events before it.
  std::size_t first_event = 0;
  std::size_t last_event = 0;
};

struct Exhibit {
  std::string anchor = {};  ///< `a1`
  std::string name = {};    ///< `G-single-item`
  std::string gloss = {};   ///< `read skew`; empty if the name explains itself
  ExhibitAxis axis = ExhibitAxis::kSessions;
  /// `process 3`, in the order of their first events; `T1` if the source names none.
  std::vector<std::string> sessions = {};
  bool has_calls = false;             ///< single operations, no transactions
  std::vector<ExhibitTxn> txns = {};  ///< T1, T2, ...
  std::vector<ExhibitEdge> edges = {};
  /// The certain edges; then a group for each case or lemma of the proof, and each follower.
  std::vector<ExhibitGroup> groups = {};
  std::vector<ExhibitFault> faults = {};  ///< in the order in which they began
  /// The last act before the exhibit, if there is none during it; empty without a nemesis.
  std::string fault_note = {};
};

/// Facts that descriptions lack.
struct ExhibitRequest {
  std::string anchor = "a1";
  bool by_timestamps = false;  ///< the verdict is about the database's timestamps
  std::span<const ReportFault> faults = {};
};

/// Makes the exhibit of a finding and its followers. `options` place and cite transactions. Linear
/// in what the claims name.
[[nodiscard]] Exhibit exhibit_of(const History& history, const Finding& finding,
                                 const TextOptions& options, const ExhibitRequest& request);

}  // namespace elapid
