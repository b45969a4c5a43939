// Makes a History of TimeKiller's transactions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/options.h"
#include "parsers/timekiller/session_names.h"
#include "parsers/timekiller/timekiller_txn.h"
#include "parsers/traces/id_numbers.h"
#include "parsers/traces/int_keys.h"

namespace elapid {

/// Errors of all functions have byte offsets.
class TimekillerBuilder {
 public:
  TimekillerBuilder(Workload workload, unsigned logical_bits)
      : keys_(builder_), workload_(workload), logical_bits_(logical_bits) {}

  /// Sets the meaning of an absent or null value. Error: initial_value's.
  Status set_initial(const ReadOptions& options);

  /// Adds the next transaction of `session`, which is the number of its sid in SessionNames.
  Status add(const TimekillerTxn& txn, std::int64_t session);

  [[nodiscard]] HistoryBuilder& builder() { return builder_; }

  /// The number of transactions added.
  [[nodiscard]] std::size_t count() const { return count_; }

  /// Adds the initial value and the form of timestamps.
  void describe(HistoryInfo& info) const;

 private:
  Status check_id(const TimekillerTxn& txn);
  Status timestamp(const TimekillerTxn& txn, const TimekillerClock& clock, std::int64_t& into);
  Status add_op(const TimekillerTxn& txn, const TimekillerOp& op);
  Status add_list_op(const TimekillerTxn& txn, const TimekillerOp& op, MopInput& mop);
  Status add_register_op(const TimekillerTxn& txn, const TimekillerOp& op, MopInput& mop);
  ValueId value(const TimekillerTxn& txn, const TimekillerScalar& scalar);
  ValueId text_value(const std::string& text);

  HistoryBuilder builder_;
  IntKeys keys_;
  Workload workload_;
  unsigned logical_bits_;
  ValueId initial_ = ValueId::nil();
  std::size_t count_ = 0;
  IdNumbers ids_;
  std::unordered_set<std::string, SeededHash> named_ids_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
};

}  // namespace elapid
