// Infers the workload of a history from its operations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "engine/ir/value_pool.h"
#include "engine/ir/workload.h"
#include "engine/workloads/clues.h"
#include "parsers/format.h"
#include "parsers/jepsen/op_map.h"
#include "parsers/jepsen/single_op.h"
#include "parsers/options.h"

namespace elapid {

/// Whether a value, as canonical EDN, is a key with its subkeys, newest first, or nils: `[7 [nil
/// "7_1" "7_0"]]`. A set of an independent key has no nils, and another order.
[[nodiscard]] bool shows_subkeys(std::string_view value);

inline constexpr std::string_view kErrorField = ":error";

/// The type for reading operations before the workload is inferred: list-append, with errors.
inline constexpr WorkloadType kUninferredType = {.name = "list-append",
                                                 .has_levels = true,
                                                 .has_lists = true,
                                                 .fields = std::span(&kErrorField, 1)};

/// The first workload of the table (engine/workloads/table.h) that recognises the operations,
/// up to a client's first append or write. Operations must be read as those of
/// kUninferredType.
class WorkloadInference {
 public:
  /// The pool is that of the operations. `clues` are those of earlier operations.
  explicit WorkloadInference(ValuePool& values, Clues clues = {})
      : values_(values), functions_(values), clues_(std::move(clues)) {}

  /// Adds one more operation. True once no further operation can change the answer.
  bool look_at(const OpMap& op);

  [[nodiscard]] Workload workload() const { return answer().first; }

  /// `The workload is list-append: something is appended.`
  [[nodiscard]] std::string sentence() const;

  [[nodiscard]] const Clues& clues() const { return clues_; }

 private:
  void look_at_single(const OpMap& op);
  void look_at_whole(const OpMap& op);
  [[nodiscard]] std::pair<Workload, std::string_view> answer() const;

  const ValuePool& values_;
  OpFunctions functions_;
  Clues clues_;
};

/// The workload that the operations of the input tell; kOther if the format cannot tell. Error:
/// that of an interruption.
[[nodiscard]] Result<ToldWorkload> told_workload(Sources& sources, const FormatName& format,
                                                 const ReadOptions& options);

}  // namespace elapid
