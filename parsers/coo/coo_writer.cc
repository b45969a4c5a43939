#include "parsers/coo/coo_writer.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace elapid {

namespace {

constexpr std::size_t kMaxTxns = 10;
constexpr std::size_t kMaxKeys = 26;

Error refusal(std::string message) {
  return {.kind = ErrorKind::kUsage, .message = std::move(message)};
}

/// What keys hold while the schedule runs; nothing at first.
using State = std::vector<std::optional<ValueId>>;

bool sees(const State& state, const PlannedOp& read) {
  const std::optional<ValueId> held = state[read.key.index()];
  return read.is_initial ? !held : held == read.value;
}

}  // namespace

Status write_coo(const Plan& plan, OutputFile& out) {
  const History& history = plan.history();
  if (plan.txns().size() > kMaxTxns || history.key_count() > kMaxKeys) {
    return refusal("a schedule has no more than 10 transactions and 26 keys");
  }
  State committed(history.key_count());
  std::vector<PlannedOp> ops;
  for (std::size_t number = 0; number < plan.txns().size(); ++number) {
    const PlannedTxn& txn = plan.txns()[number];
    State state = committed;
    plan.ops(txn, ops);
    for (const PlannedOp& op : ops) {
      const bool is_read = op.kind == OpKind::kRead;
      if (is_read && !sees(state, op)) {
        return refusal("a read of " + history.text(op.value) + " from key " +
                       history.key_text(op.key) +
                       " does not see the latest write before it: a schedule has no values");
      }
      if (!is_read) {
        state[op.key.index()] = op.value;
      }
      out << (is_read ? 'R' : 'W') << number << static_cast<char>('a' + op.key.value) << ' ';
    }
    const bool commits = txn.status == TxnStatus::kCommitted;
    out << (commits ? 'C' : 'A') << number << (number + 1 < plan.txns().size() ? " " : "\n");
    if (commits) {
      committed = std::move(state);
    }
  }
  return {};
}

}  // namespace elapid
