// Which models of elle-cli a history fits, by the shape of its operations.
//
//   {:f :transfer ...} and -m counter:
//   Model "counter" does not match this history: op at :index 0 uses :f :transfer, which is not
//   supported by this model. This history looks like a "bank" workload - wrong model selected?
//
// After elle-cli 0.1.10, whose message it is. There a model has operations of one shape:
// transactions (:f :txn, or none, and a list of micro-operations), operations on lists of
// micro-operations, or flat ones. A :value that is a list of lists makes an operation one of
// micro-operations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/options.h"
#include "parsers/read.h"

namespace elapid {

/// Names of elle-cli's models, sorted.
[[nodiscard]] std::span<const std::string_view> elle_cli_models();

/// An event of a client as the source has it.
struct ShownCall {
  std::int64_t index = 0;
  std::string f;      ///< `:add`, or `nil`
  std::string value;  ///< canonical EDN; empty: none
};

/// What elle-cli says of events that a model does not have: of the first one, and of models that
/// have all events. Nothing if the model has them all, or is none of elle-cli's. O(events).
[[nodiscard]] std::optional<std::string> model_mismatch(std::string_view model,
                                                        std::span<const ShownCall> events);

/// Whether the history holds operations that its workload does not know: a reason to look closer.
[[nodiscard]] bool holds_foreign_operations(const History& history);

/// The same of the events in a file, whatever its workload. Nothing if it cannot be read. Reads the
/// file twice.
[[nodiscard]] std::optional<std::string> model_mismatch_of(const std::string& path,
                                                           std::string_view model,
                                                           ReadOptions options);

}  // namespace elapid
