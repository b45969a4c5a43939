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

/// One input that is one history goes to `out` itself, unless that is an existing folder and the
/// format a file. Everything else goes into the folder `out`: an input under its name, what lies
/// below a folder under its path from there, with the target's extension in place of its own (or
/// behind it, where two would have the same name). Error: kUnreadable for a folder without a
/// history.
[[nodiscard]] Result<ConvertJobs> convert_jobs(const std::vector<std::string>& inputs,
                                               const std::string& out, const Target& target);

/// Whether one of the inputs stands for any number of histories, or there are several.
[[nodiscard]] bool are_many(const std::vector<std::string>& inputs);

}  // namespace elapid
