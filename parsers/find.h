// Histories in a folder: the runs of a Jepsen store, a corpus of traces.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace elapid {

/// What a folder holds.
struct FoundHistories {
  /// Of histories, files and directories, in order; what cannot be read is among them.
  std::vector<std::string> paths = {};
  std::vector<std::string> passed_over = {};  ///< files that look like no format, in order
};

/// Whether a file below a folder is to be looked at.
using WantedFile = std::function<bool(const std::string& path)>;

/// The histories below `path`. A path that is not a directory, and a directory that is one history,
/// is its own only one. Elsewhere every file is looked at whose format can be told, but not hidden
/// ones, links to directories (as Jepsen's `latest`), and what accompanies histories (results.edn,
/// *.map.json, *.cert); READMEs, *.md and *.rst are passed over. A file or directory that cannot be
/// read (or a directory that could be a history in two ways, or a link to nothing but Jepsen's own)
/// may be a history: it is among the paths, and reading it tells what is wrong. Files of folders
/// that are not wanted are neither opened nor among what is found.
FoundHistories find_histories(const std::string& path, const WantedFile& is_wanted = {});

}  // namespace elapid
