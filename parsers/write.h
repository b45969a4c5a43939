// Writes a History in some format, tells the losses of the conversion, and maps new names to old
// ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/target.h"
#include "parsers/options.h"

namespace elapid {

/// The losses that a caller accepts; see docs/conversion.md.
enum class LossPolicy : std::uint8_t {
  kHarmless,  ///< losses that leave every verdict as it is, or are plain to see
  kNamed,     ///< these, and levels that transactions asked for: others are asked about by name
  kAny,       ///< all losses
  kNone,
};

struct WriteOptions {
  const Target* target = nullptr;  ///< a row of targets()
  LossPolicy policy = LossPolicy::kHarmless;
  EventDetailsFn details = {};  ///< for formats that keep further fields of events
  std::string_view any_loss = "LossPolicy::kAny";  ///< the caller's name of kAny, for messages
};

struct ConversionReport {
  std::vector<Loss> losses = {};
  std::size_t txns = 0;  ///< written transactions
  std::string map = {};  ///< name of the map file; empty if nothing was renamed
};

/// The letters of all losses and additions, each once. Made-up ids of transactions are
/// left out, because there are thousands of them.
[[nodiscard]] std::string loss_letters(const std::vector<Loss>& losses);

/// For a history of one register: the format with the target's extension that keeps its operations
/// single. For other histories, or if there is no such format: `target`, which may be null.
[[nodiscard]] const Target* target_of_calls(const History& history, const Target* target);

/// The losses of write_history(), without writing anything. Error: kUsage, as there.
Result<ConversionReport> plan_conversion(const History& history, Workload workload,
                                         const WriteOptions& options);

/// Writes a history to `out`: a file, `-`, or a directory for formats that are one. The output is
/// written under another name and then renamed. An existing file is replaced; a directory with
/// something in it never is. `out`.map.json lists the keys, values and sessions with new names,
/// unless `out` is `-`. Errors: kUsage if the format cannot hold the history or the policy forbids
/// a loss; kUnreadable if the output cannot be written.
Result<ConversionReport> write_history(const History& history, Workload workload,
                                       const std::string& out, const WriteOptions& options);

}  // namespace elapid
