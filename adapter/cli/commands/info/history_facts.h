// Facts and counts of a history: the answer of `elapid info`.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "adapter/cli/commands/info/operation_stats.h"
#include "adapter/elle/document_writer.h"
#include "adapter/store/log_search.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid {

struct HistoryFacts {
  std::size_t committed = 0;
  std::size_t aborted = 0;
  std::size_t indeterminate = 0;
  std::array<std::size_t, 6> operations = {};  ///< by OpKind
  std::size_t initial_reads = 0;  ///< reads of nil, the empty list or the initial value
  std::size_t longest_list = 0;
  std::array<std::size_t, 8> row_operations = {};  ///< by rows::RowOpKind
  std::size_t keys = 0;                            ///< named by operations
  std::size_t rows_found = 0;                      ///< in the results of all reads of rows
  std::optional<std::uint64_t> time_span_ns = {};  ///< from the first to the last event with a time

  [[nodiscard]] std::size_t count(OpKind kind) const {
    return operations.at(static_cast<std::size_t>(kind));
  }
};

/// One pass over transactions and operations.
[[nodiscard]] HistoryFacts gather_facts(const History& history);

/// The origin of a history, as its reader tells it.
struct HistoryOrigin {
  std::string path;
  std::string format;
  std::string format_reason;
  std::string workload;
};

/// Facts that users must ask for.
struct FurtherFacts {
  std::span<const Standing> ladder = {};  ///< its answer at each level
  const OperationStats* stats = nullptr;  ///< outcomes of its operations
  const LogMatches* logs = nullptr;       ///< matches in the logs of its run
};

/// Aligned lines, the path first.
[[nodiscard]] std::string facts_text(const HistoryOrigin& origin, const History& history,
                                     const FurtherFacts& further);

/// One map on one line.
[[nodiscard]] std::string facts_map(const HistoryOrigin& origin, const History& history,
                                    const FurtherFacts& further, Syntax syntax);

}  // namespace elapid
