// The models of elle-cli that a history fits, by the shape of its operations.
//
//   {:f :transfer ...} and -m counter:
//   Model "counter" does not match this history: op at :index 0 uses :f :transfer, which is not
//   supported by this model. This history looks like a "bank" workload - wrong model selected?
//
// After elle-cli 0.1.10, which prints this message. A model of elle-cli has operations of one
// shape: transactions (:f :txn, or no :f, and a list of micro-operations), operations on lists of
// micro-operations, or flat operations. If :value is a list of lists, the operation is one of
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

/// An event of a client, as in the source.
struct ShownCall {
  std::int64_t index = 0;
  std::string f;      ///< `:add`, or `nil`
  std::string value;  ///< canonical EDN; empty: none
};

/// elle-cli's message about events that a model does not know: the first of them, and the models
/// that know all events. Nothing if the model knows them all, or is not elle-cli's. O(events).
[[nodiscard]] std::optional<std::string> model_mismatch(std::string_view model,
                                                        std::span<const ShownCall> events);

/// Whether the events may be of another model than the history's workload, and need a look.
[[nodiscard]] bool may_mismatch(const History& history);

/// model_mismatch() of the events in a file, for any workload. Nothing if the file cannot be read.
/// Reads the file twice.
[[nodiscard]] std::optional<std::string> model_mismatch_of(const std::string& path,
                                                           std::string_view model,
                                                           ReadOptions options);

}  // namespace elapid
