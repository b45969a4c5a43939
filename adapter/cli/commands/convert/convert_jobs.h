// Pairs each history with its output.
#pragma once

#include <string>
#include <vector>

#include "engine/ir/result.h"
#include "parsers/convert/target.h"

namespace elapid {

struct ConvertJob {
  std::string input;
  std::string output;
};

struct ConvertJobs {
  std::vector<ConvertJob> jobs = {};
  bool into_directory = false;  ///< the output is a folder of histories
};

/// A single input with one history goes to `out` itself, unless `out` is an existing folder and the
/// format has files. Everything else goes into the folder `out`: an input under its name, a history
/// in a folder under its path below that folder. The target's extension replaces the old one, or
/// follows it if two outputs would have the same name. Error: kUnreadable for a folder without a
/// history.
[[nodiscard]] Result<ConvertJobs> convert_jobs(const std::vector<std::string>& inputs,
                                               const std::string& out, const Target& target);

/// Whether there are several inputs, or one that stands for any number of histories.
[[nodiscard]] bool are_many(const std::vector<std::string>& inputs);

}  // namespace elapid
