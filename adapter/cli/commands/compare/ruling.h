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

/// A written minimal history.
struct MinimalHistory {
  std::string file = {};  ///< empty: there is none
  std::size_t transactions = 0;
  std::size_t operations = 0;
  bool is_one_minimal = false;
  std::string because = {};  ///< what it shows, as Ruling::because
};

struct Ruling {
  Disagreement disagreement = {};
  Validity elapid = Validity::kUnknown;   ///< Elapid's answer, also if it does not take part
  std::string because = {};               ///< the anomaly's title, or why it holds or is unknown
  std::string certificate = {};           ///< its file, if it is kept
  bool is_verified = false;               ///< read back and verified against the history
  std::vector<std::size_t> refuted = {};  ///< checkers that said otherwise
  /// Known weaknesses of the refuted checkers that fit this case.
  std::vector<std::pair<std::size_t, std::string>> known = {};
  std::string excuses =
      {};  ///< letters of losses in their inputs that may excuse the refuted checkers
  MinimalHistory minimal = {};
};

/// Rules on a disagreement about a history of the input `path`. Errors go into the report; the
/// parts that they concern are then missing.
[[nodiscard]] Ruling rule_on(const CompareRequest& request, const std::string& path,
                             LoadedHistory& loaded, const Disagreement& disagreement,
                             std::span<const Statement> statements, Progress& progress,
                             Report& report);

}  // namespace elapid
