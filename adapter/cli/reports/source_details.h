// Takes the values of single operations from their source again.
//
//   {:process 0, :type :ok, :f :read, :value {0 10, 1 12}}
//                                            ^ a map: the source has it, the history does not
#pragma once

#include <functional>
#include <string>

#include "engine/ir/history.h"
#include "harness/minimize/call_deletion.h"
#include "parsers/convert/plan.h"
#include "parsers/format.h"
#include "parsers/read.h"

namespace elapid {

/// Empty for a history of transactions, and if the source cannot be read. Borrows the history.
[[nodiscard]] inline EventDetailsFn source_details(LoadedHistory& loaded) {
  if (loaded.history().workload().has_transactions() ||
      loaded.format().format->opens_details == nullptr) {
    return {};
  }
  return [&loaded](SourcePosition position) { return loaded.details(position); };
}

/// An operation of a small part of the history, as its source has it: `:enqueue 80`. Empty where
/// the source cannot be asked. Borrows both.
[[nodiscard]] inline std::function<std::string(TxnId)> call_text(const History& small,
                                                                 LoadedHistory& loaded) {
  const EventDetailsFn details =
      details_of_small(small, source_details(loaded), !loaded.key().empty());
  if (!details) {
    return {};
  }
  return [&small, details](TxnId txn) {
    const EventKind kind =
        small.has_completion(txn) ? EventKind::kCompletion : EventKind::kInvocation;
    const Result<EventDetails> known = details(small.event(txn, kind).position);
    if (!known) {
      return std::string("?");
    }
    const std::string& value = known.value().value;
    return known.value().f + (value.empty() || value == "nil" ? "" : " " + value);
  };
}

}  // namespace elapid
