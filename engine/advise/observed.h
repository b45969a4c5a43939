// The transactions of a history as an application: each committed one runs once.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/advise/application.h"
#include "engine/ir/history.h"

namespace elapid::advise {

struct ObservedApplication {
  Application application = {};
  std::vector<TxnId> txns = {};  ///< by transaction
  std::size_t left_out = 0;      ///< that aborted, or are not known to have committed
  /// Not empty: something that the theory does not cover, with the transaction that does it.
  std::string uncovered = {};
  TxnId uncovered_by = TxnId::none();
};

/// O(operations log operations). `name`: what people call a transaction.
[[nodiscard]] ObservedApplication observed_application(
    const History& history, const std::function<std::string(TxnId)>& name);

}  // namespace elapid::advise
