// An exhibit: the few transactions that show an anomaly, and why one comes before another, as
// pictures need them.
//
// It is made of a description (engine/verdict/description.h) and the source of the history, and is
// all that the three views draw: graph, timeline and table of sessions. For a lost update:
//
//   sessions  process 0, process 1
//   txns      T1 in session 0 with `r x nil` and `append x 1`; T2 in session 1 ...
//   edges     a1.e1: T1 -rw-> T2, from T1's first operation to T2's second, on key x
//
// Each transaction, operation and edge has an anchor. Views, proof and raw lines mark what they
// show of it by `data-ref="a1.e1"`, so that a page lights up all of them together, and
// `report.html#a1.e1` leads there.
#ifndef ELAPID_ADAPTER_REPORT_EXHIBIT_H_
#define ELAPID_ADAPTER_REPORT_EXHIBIT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/history.h"
#include "engine/verdict/order_evidence.h"

namespace elapid {

/// An operation, with long lists shortened around what matters.
struct ExhibitOp {
  std::string anchor = {};  ///< `a1.t2.o1`
  std::string text = {};    ///< `append x 1`, `r x [… 3 4 …]`
  bool is_in_focus = false;
};

struct ExhibitTxn {
  std::string anchor = {};  ///< `a1.t2`
  std::string label = {};   ///< `T2`
  std::string place = {};   ///< `history.edn:12`; `session 3, transaction 5`
  std::size_t session = 0;  ///< in Exhibit::sessions
  TxnStatus status = TxnStatus::kCommitted;
  bool is_reader_only = false;  ///< it only shows what others did
  /// ns since a common beginning; absent where the source does not say.
  std::optional<std::int64_t> invoked = {};
  std::optional<std::int64_t> completed = {};
  /// Order of events among all of the exhibit: its invocation's and completion's places.
  std::size_t first_event = 0;
  std::optional<std::size_t> last_event = {};  ///< absent: never completed
  /// What the database said, where it did (ns or logical).
  std::optional<std::int64_t> start_timestamp = {};
  std::optional<std::int64_t> commit_timestamp = {};
  std::vector<ExhibitOp> ops = {};
};

/// `from` comes before `to`.
struct ExhibitEdge {
  std::string anchor = {};  ///< `a1.e1`: that of the sentence that says so
  std::size_t from = 0;     ///< in Exhibit::txns
  std::size_t to = 0;
  std::optional<std::size_t> from_op = {};  ///< in ExhibitTxn::ops
  std::optional<std::size_t> to_op = {};
  Relation relation = Relation::kWw;
  std::string key = {};   ///< printed; empty for session order and real time
  std::size_t group = 0;  ///< 0: certain; else the number of the case of a proof that it belongs to
};

struct Exhibit {
  std::string anchor = {};                 ///< `a1`
  std::vector<std::string> sessions = {};  ///< `process 3`, in the order of their first event
  std::vector<ExhibitTxn> txns = {};       ///< T1, T2, ...
  std::vector<ExhibitEdge> edges = {};
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_REPORT_EXHIBIT_H_
