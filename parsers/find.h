// Histories in a folder: the runs of a Jepsen store, a corpus of traces.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace elapid {

/// The contents of a folder.
struct FoundHistories {
  /// Paths of histories, files and directories, in order; unreadable ones are among them.
  std::vector<std::string> paths = {};
  std::vector<std::string> passed_over = {};  ///< files without a sign of a format, in order
};

/// Whether a file below a folder should be considered.
using WantedFile = std::function<bool(const std::string& path)>;

/// The histories below `path`. A path that is a file, or a directory that is one history, is the
/// only one. Elsewhere every file with a recognised format counts. Skipped are: hidden files, links
/// to directories (as Jepsen's `latest`), files beside histories (results.edn, *.map.json, *.cert),
/// READMEs, *.md and *.rst. A file or directory that cannot be read may be a history, as may a
/// directory that fits two formats, or a broken link other than Jepsen's own. All of these
/// are among the paths, and reading them reports the error. Files that are not wanted are neither
/// opened nor returned.
FoundHistories find_histories(const std::string& path, const WantedFile& is_wanted = {});

}  // namespace elapid
