// From a line's transaction to that of the online check.
#ifndef ELAPID_ADAPTER_WATCH_INTAKE_H_
#define ELAPID_ADAPTER_WATCH_INTAKE_H_

#include <optional>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/online/atom.h"
#include "engine/online/online_txn.h"
#include "engine/verdict/verdict.h"
#include "parsers/stream/stream_txn.h"

namespace elapid {

/// What the transaction is about, if it shows: what only reads nil may be about either.
[[nodiscard]] std::optional<Workload> workload_of(const StreamTxn& txn);

class Intake {
 public:
  /// Borrows the table, in which it makes atoms.
  Intake(AtomTable& atoms, Workload workload) : atoms_(atoms), workload_(workload) {}

  /// Error kMalformed with a byte offset: operations of another data model.
  [[nodiscard]] Status check(const StreamTxn& txn) const;

  [[nodiscard]] Atom id(const StreamTxn& txn) { return name(txn.txn, txn.txn.id); }

  /// Valid until the next call. Requires that there is nothing wrong with it.
  const OnlineTxn& take(const StreamTxn& txn);

  /// A value as it stands in EDN, in which strings have quotes.
  [[nodiscard]] Atom edn(std::string_view text);

 private:
  [[nodiscard]] Atom name(const TimekillerTxn& txn, const TimekillerScalar& scalar);
  [[nodiscard]] Atom value(const TimekillerTxn& txn, const TimekillerScalar& scalar);
  [[nodiscard]] Status check(const TimekillerOp& op, bool is_committed) const;
  void take_op(const TimekillerTxn& txn, const TimekillerOp& op);

  AtomTable& atoms_;
  Workload workload_;
  OnlineTxn txn_;
};

}  // namespace elapid

#endif  // ELAPID_ADAPTER_WATCH_INTAKE_H_
