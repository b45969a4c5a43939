#include "adapter/report/result_folder.h"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <system_error>
#include <utility>

#include "adapter/report/forms/finding_forms.h"
#include "adapter/report/report.h"
#include "adapter/report/views/views.h"

namespace elapid {
namespace {

constexpr std::size_t kMostIssueBytes = 50'000;

std::filesystem::path file_of(std::size_t finding, std::string_view form) {
  return fmt::format("findings/{}.{}", finding, form);
}

/// Nothing if the file cannot be read.
std::optional<std::string> content_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string content;
  std::array<char, 4096> buffer = {};
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
    content.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
  }
  return in.eof() ? std::optional(std::move(content)) : std::nullopt;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n')) + "\n";
}

/// The first lines of the summary and of each finding.
std::string list_of(const std::filesystem::path& folder, const std::string& summary) {
  std::string text = first_line(summary);
  for (std::size_t number = 1;; ++number) {
    const std::optional<std::string> finding = content_of(folder / file_of(number, "txt"));
    if (!finding) {
      return text;
    }
    text += first_line(*finding);
  }
}

std::size_t findings_in(const std::filesystem::path& folder) {
  std::error_code ignored;
  std::size_t count = 0;
  while (std::filesystem::exists(folder / file_of(count + 1, "txt"), ignored)) {
    ++count;
  }
  return count;
}

Error no_such_finding(const std::filesystem::path& folder, std::size_t finding) {
  const std::size_t count = findings_in(folder);
  return usage_error(count == 0 ? fmt::format("{} shows no anomaly", folder.string())
                                : fmt::format("there is no anomaly {} in {}: it has 1 to {}",
                                              finding, folder.string(), count));
}

}  // namespace

std::vector<EvidenceFile> report_files(const ReportModel& report) {
  std::vector<EvidenceFile> files = {{"report.html", report_page(report)},
                                     {"summary.txt", report_text(report)},
                                     {"summary.md", report_markdown(report)}};
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const ReportFinding& finding = report.findings[i];
    files.push_back({file_of(i + 1, "txt"), finding_text(finding)});
    files.push_back({file_of(i + 1, "md"), finding_markdown(finding, kMostIssueBytes)});
    if (finding.exhibit && !finding.exhibit->txns.empty()) {
      const Exhibit& exhibit = *finding.exhibit;
      files.push_back({file_of(i + 1, "svg"), svg_file(exhibit, graph_svg(exhibit))});
      files.push_back({file_of(i + 1, "dot"), graph_dot(exhibit)});
    }
  }
  return files;
}

Result<std::string> read_finding(const std::filesystem::path& folder,
                                 std::optional<std::size_t> finding, std::string_view form) {
  const std::optional<std::string> summary = content_of(folder / "summary.txt");
  if (!summary) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "is no folder of a result: there is no summary.txt in it",
                 .file = folder.string()};
  }
  if (!finding) {
    if (form == "txt") {
      return list_of(folder, *summary);
    }
    const std::optional<std::string> all =
        form == "md" ? content_of(folder / "summary.md") : std::nullopt;
    return all ? Result<std::string>(*all) : usage_error("a picture is of one anomaly");
  }
  const std::optional<std::string> words = content_of(folder / file_of(*finding, "txt"));
  if (!words) {
    return no_such_finding(folder, *finding);
  }
  const std::optional<std::string> asked = content_of(folder / file_of(*finding, form));
  return asked ? Result<std::string>(*asked)
               : usage_error(
                     fmt::format("anomaly {} of {} has no picture", *finding, folder.string()));
}

}  // namespace elapid
