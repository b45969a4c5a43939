// Writes a History in some format, tells what the conversion loses, and maps the new names to the
// old ones.
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

/// Which losses are accepted; see docs/conversion.md.
enum class LossPolicy : std::uint8_t {
  kHarmless,  ///< those that leave every verdict as it is, or are plain to see
  kAny,       ///< all
  kNone,
};

struct WriteOptions {
  const Target* target = nullptr;  ///< a row of targets()
  LossPolicy policy = LossPolicy::kHarmless;
  EventDetailsFn details = {};  ///< for formats that keep further fields of events
  std::string_view any_loss = "LossPolicy::kAny";  ///< what the caller calls that, for messages
};

struct ConversionReport {
  std::vector<Loss> losses = {};
  std::size_t txns = 0;  ///< written
  std::string map = {};  ///< name of the map file; empty if nothing was renamed
};

/// The letters of what is lost or made up, each once, without ids of transactions, which are made
/// up by the thousand.
[[nodiscard]] std::string loss_letters(const std::vector<Loss>& losses);

/// Of a history of one register the format with files alike in which its operations remain single
/// ones; else `target`, which may be null.
[[nodiscard]] const Target* target_of_calls(const History& history, const Target* target);

/// What write_history() would lose, without writing anything. Error: kUsage, as there.
Result<ConversionReport> plan_conversion(const History& history, Workload workload,
                                         const WriteOptions& options);

/// Writes a history to `out`: a file, `-`, or a directory for formats that are one. The output is
/// written under another name and then renamed; a file that is there is replaced, a directory with
/// something in it never. Keys, values and sessions that have other names afterwards are listed in
/// `out`.map.json, but for `-`. Errors: kUsage where the format cannot hold the history or the
/// policy forbids a loss, kUnreadable where the output cannot be written.
Result<ConversionReport> write_history(const History& history, Workload workload,
                                       const std::string& out, const WriteOptions& options);

}  // namespace elapid
