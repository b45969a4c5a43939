// Histories in a folder: the runs of a Jepsen store, a corpus of traces.
#ifndef ELAPID_PARSERS_FIND_H_
#define ELAPID_PARSERS_FIND_H_

#include <string>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

/// What a folder holds.
struct FoundHistories {
  std::vector<std::string> paths = {};        ///< of histories, files and directories, in order
  std::vector<std::string> passed_over = {};  ///< files that look like no format, in order
};

/// The histories below `path`. A path that is not a directory, and a directory that is one history,
/// is its own only one. Elsewhere every file is looked at whose format can be told, but not hidden
/// ones, links to directories (as Jepsen's `latest`), and what accompanies histories (results.edn,
/// *.map.json, *.cert); READMEs, *.md and *.rst are passed over. Error: kUnreadable if a directory
/// cannot be read, kMalformed if one could be a history in two ways.
Result<FoundHistories> find_histories(const std::string& path);

}  // namespace elapid

#endif  // ELAPID_PARSERS_FIND_H_
