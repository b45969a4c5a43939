// Settles a disagreement: Elapid's own answer, its certificate, and a minimal history that still
// shows the disagreement.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "adapter/cli/commands/compare/compare_request.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/levels/validity.h"
#include "harness/compare/agreement.h"
#include "parsers/read.h"

namespace elapid {

/// A minimal history, as it was written.
struct MinimalHistory {
  std::string file = {};  ///< empty: there is none
  std::size_t transactions = 0;
  std::size_t operations = 0;
  bool is_one_minimal = false;
  std::string because = {};  ///< what it shows, as Ruling::because
};

struct Ruling {
  Disagreement disagreement = {};
  Validity elapid = Validity::kUnknown;   ///< Elapid's answer, whether it takes part or not
  std::string because = {};               ///< the anomaly's title, or why it holds, or is unknown
  std::string certificate = {};           ///< the file, where it is kept
  bool is_verified = false;               ///< read back and verified against the history
  std::vector<std::size_t> refuted = {};  ///< checkers that said otherwise
  /// Weaknesses that are known of those refuted, where they fit.
  std::vector<std::pair<std::size_t, std::string>> known = {};
  std::string excuses =
      {};  ///< letters that may excuse those refuted: what they were shown lost it
  MinimalHistory minimal = {};
};

/// Rules on a disagreement about a history. `path`: of its input. Errors go into the report; then
/// what they concern is missing.
[[nodiscard]] Ruling rule_on(const CompareRequest& request, const std::string& path,
                             LoadedHistory& loaded, const Disagreement& disagreement,
                             std::span<const Statement> statements, Progress& progress,
                             Report& report);

}  // namespace elapid
