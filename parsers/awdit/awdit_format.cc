#include "parsers/awdit/awdit_format.h"

#include <array>

namespace elapid {

namespace {

std::vector<Sign> looks_like_awdit(const FileLook& file) {
  static const Pattern pattern(R"(^[rw]\s+\d+\s+\d+(\s|$))", "rw");
  if (!pattern.is_in(file.first_line)) {
    return {};
  }
  return {{Strength::kStrong, "it begins with an operation as `r KEY VALUE`"}};
}

constexpr std::array kAwditTargets = {Target{.format = &kAwditFormat,
                                             .extension = ".txt",
                                             .write_file = write_awdit,
                                             .by_session = true,
                                             .initial = InitialForm::kWritten,
                                             .keys = kNaturals,
                                             .values = kNaturals}};

}  // namespace

constinit const Format kAwditFormat = {.name = "awdit",
                                       .tools = "AWDIT's tests",
                                       .looks_at_file = looks_like_awdit,
                                       .read = read_awdit,
                                       .targets = kAwditTargets};

}  // namespace elapid
