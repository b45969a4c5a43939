#include "adapter/cli/reports/ci/ci_report.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "adapter/cli/reports/ci/github.h"
#include "adapter/cli/reports/ci/sarif.h"
#include "adapter/cli/terminal/terminal.h"

namespace elapid {

namespace {

/// Appends to the summary file, which other programs of the step also append to. GitHub reads it
/// when the step ends.
Status add_summary(const std::string& path, const std::string& summary) {
  std::ofstream file(path, std::ios::app | std::ios::binary);
  file << summary << std::flush;
  return file ? Status()
              : Status(Error{.kind = ErrorKind::kUnreadable,
                             .message = "the summary of the step cannot be written: " +
                                        std::string(std::strerror(errno)),
                             .file = path});
}

}  // namespace

Status print_for_ci(OutputFormat format, std::span<const CiHistory> histories) {
  if (format == OutputFormat::kSarif) {
    print_document(to_sarif(histories, ELAPID_VERSION));
    return {};
  }
  print_text(github_annotations(histories));
  const char* summary = std::getenv("GITHUB_STEP_SUMMARY");
  return summary == nullptr || *summary == '\0' ? Status()
                                                : add_summary(summary, github_summary(histories));
}

}  // namespace elapid
