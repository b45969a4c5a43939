#include "engine/certify/anomalies/index.h"

#include "engine/certify/operations/trust.h"

namespace elapid::certify {

Index::Index(const History& history, const Assumptions& assumptions, bool list_append)
    : history_(history),
      list_append_(list_append),
      elle_compat_(assumptions.elle_compat),
      orders_keys_(assumptions.sequential_keys || assumptions.linearizable_keys),
      writers_(history),
      trusted_(trusted_transactions(history, writers_, list_append, assumptions.elle_compat)),
      lists_(history, trusted_, elle_compat_),
      shown_elements_(history),
      registers_(history, assumptions, writers_, trusted_) {}

const ListVersions& Index::all_lists() const {
  if (!all_lists_) {
    all_lists_.emplace(history_, std::vector<bool>(history_.txn_count(), true), elle_compat_);
  }
  return *all_lists_;
}

}  // namespace elapid::certify
