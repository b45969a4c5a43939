// The folder `elapid` that a scan leaves in each run of a Jepsen store, for Jepsen's web view. Its
// `results.edn` gives the folder its colour, and the view shows the beginning of `summary.txt`. No
// file of Jepsen is touched.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// The results of one run. Files are written under another name and then renamed. Errors of writing
/// go into the reports.
class RunResults {
 public:
  /// The results of the run whose history is at `path`.
  RunResults(const CheckRequest& request, std::string path);

  /// A note before the results, if the history belongs to no run: nothing is then written.
  [[nodiscard]] Report begin() const;

  /// Writes the result map, the verdict in words and the evidence of a history into `elapid`, or
  /// into `elapid/key-<key>`. First removes the evidence of an earlier check.
  Report add(LoadedHistory& loaded, const Verdict& verdict, Progress& progress);

  /// Writes that there is no verdict on the run or on one of its keys, and why.
  Report fail(const std::string& problem, const std::string& key = "");

  /// After the last history: writes the sum of the independent keys.
  Report end();

 private:
  struct KeyVerdict {
    std::string key = {};  ///< as printed EDN
    Validity validity = Validity::kUnknown;
  };

  Report make_room();
  [[nodiscard]] std::filesystem::path folder_of(const std::string& key) const;

  const CheckRequest& request_;
  std::string path_;
  std::optional<std::filesystem::path> folder_;  // none: no run
  bool has_room_ = false;                        // the evidence of an earlier check is gone
  std::vector<KeyVerdict> keys_ = {};
  std::string problem_ = {};  // the first of a key
};

}  // namespace elapid
