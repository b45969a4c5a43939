// Converts a line's transaction to one of the online check.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/online_txn.h"
#include "engine/verdict/verdict.h"
#include "parsers/elle_json/recorder_header.h"
#include "parsers/stream/stream_txn.h"

namespace elapid {

/// Takes headers and transactions in their order, for the thread that reads them. The workload is
/// decided once: by the caller, by a header, or by the first operation that shows it.
class Intake {
 public:
  /// Borrows the table, in which it makes atoms. `workload` and `initial` (as EDN): if the caller
  /// names them.
  Intake(AtomTable& atoms, std::optional<Workload> workload, std::optional<std::string> initial)
      : atoms_(atoms), demanded_workload_(workload), demanded_initial_(std::move(initial)) {}

  /// Of several headers the first counts. Error: one that contradicts it, or that declares for
  /// earlier transactions what these did not know.
  Status take(const RecorderHeader& header);

  /// Makes `taken` the transaction; its memory is reused. While the workload is unknown, all reads
  /// so far found nothing, and they count as reads of registers. Error kMalformed with a byte
  /// offset: operations of another data model.
  Status take(const StreamTxn& txn, OnlineTxn& taken);

  /// The workload; absent while it is unknown.
  [[nodiscard]] const std::optional<Workload>& workload() const { return workload_; }

  /// The initial value of registers. Requires that the workload is known.
  [[nodiscard]] Atom initial() const { return initial_; }

  /// Resumes another object's state. `declared`: the initial value from a header that came in time.
  void restore(Workload workload, std::optional<std::string> declared);

  /// A value in EDN, in which strings have quotes.
  [[nodiscard]] Atom edn(std::string_view text);

 private:
  void begin(Workload workload);
  [[nodiscard]] Atom name(const TimekillerTxn& txn, const TimekillerScalar& scalar);
  [[nodiscard]] Atom value(const TimekillerTxn& txn, const TimekillerScalar& scalar);
  [[nodiscard]] Status check(const StreamTxn& txn) const;
  [[nodiscard]] Status check(const TimekillerOp& op, bool is_committed) const;
  void take_op(const TimekillerTxn& txn, const TimekillerOp& op, OnlineTxn& into);

  AtomTable& atoms_;
  std::optional<Workload> demanded_workload_;
  std::optional<std::string> demanded_initial_;
  std::optional<std::string> declared_initial_;  // by a header
  bool has_begun_ = false;                       // with a header or a transaction
  std::optional<Workload> workload_;
  Atom initial_ = Atom::nil();
};

}  // namespace elapid
