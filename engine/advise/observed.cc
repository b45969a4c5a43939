#include "engine/advise/observed.h"

#include <set>

namespace elapid::advise {
namespace {

/// Its operations, or why they are not covered.
std::string add_operations(const History& history, TxnId txn, Transaction& transaction) {
  std::set<KeyId> written;
  std::uint32_t number = 0;
  for (const Op op : history.ops(txn)) {
    if (!op.is_read() && !op.is_write()) {
      return op.kind() == OpKind::kRow
                 ? "it works on rows of tables: predicates, inserts and deletes are not covered"
                 : "it has other operations than reads, writes and appends";
    }
    if (written.contains(op.key())) {
      return "it " + std::string(op.is_write() ? "writes" : "reads") + " key " +
             history.shown_key(op.key()) + " after writing it";
    }
    Operation& operation = transaction.operations.emplace_back(Operation{.number = number++});
    (op.is_write() ? operation.writes : operation.reads).push_back(op.key().value);
    if (op.is_write()) {
      written.insert(op.key());
    }
  }
  return "";
}

}  // namespace

ObservedApplication observed_application(const History& history,
                                         const std::function<std::string(TxnId)>& name) {
  ObservedApplication observed;
  Application& application = observed.application;
  for (std::uint32_t key = 0; key < history.key_count(); ++key) {
    application.items.push_back(history.key_text({key}));
  }
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    const TxnId txn = {t};
    if (txn == history.info().initial_txn || history.ops(txn).empty()) {
      continue;
    }
    if (!history.committed(txn)) {
      ++observed.left_out;
      continue;
    }
    Transaction transaction = {.program = static_cast<std::uint32_t>(observed.txns.size()),
                               .name = name(txn)};
    observed.uncovered = add_operations(history, txn, transaction);
    if (!observed.uncovered.empty()) {
      observed.uncovered_by = txn;
      return observed;
    }
    application.programs.push_back(transaction.name);
    application.transactions.push_back(std::move(transaction));
    observed.txns.push_back(txn);
  }
  return observed;
}

}  // namespace elapid::advise
