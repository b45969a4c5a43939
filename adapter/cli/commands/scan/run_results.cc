#include "adapter/cli/commands/scan/run_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/elle/document_writer.h"
#include "adapter/elle/evidence_list.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/result_map.h"
#include "adapter/elle/verdict_view.h"
#include "adapter/source/verdict_text.h"
#include "adapter/store/run.h"
#include "engine/ir/visible.h"
#include "engine/levels/validity.h"

namespace elapid {
namespace {

namespace fs = std::filesystem;

/// The size of the anomalies in results.edn. The web view reads the whole file.
constexpr std::size_t kMaxMapBytes = std::size_t{500} << 10U;

constexpr const char* kMap = "results.edn";
constexpr const char* kSummary = "summary.txt";

/// The length of summary.txt.
constexpr std::size_t kMaxLines = 60;

Report written(const fs::path& file, const std::string& content) {
  const Status status = write_file(file, content);
  return status.ok() ? Report() : error_report(status.error());
}

/// Writes the files of a folder that Jepsen's web view shows.
Report write_answer(const fs::path& folder, const std::string& map, const std::string& summary) {
  Report report = written(folder / kMap, map + "\n");
  append(report, written(folder / kSummary, summary));
  return report;
}

/// The first lines of a text.
std::string first_lines(std::string_view text, std::size_t count) {
  std::string lines;
  for (; count > 0 && !text.empty(); --count) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines += text.substr(0, end);
    lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines + (text.empty() ? "" : "...\n");
}

std::string headline(Validity validity) {
  return fmt::format("elapid: {}\n", validity_word(validity));
}

void write_problem(DocumentWriter& out, const std::string& problem) {
  out.key("error").string(problem);
  out.key("elapid/unknown-because").string(problem);
}

/// The verdict and its explanation where there is no report, as with --elle-compat.
std::string words_of(LoadedHistory& loaded, const Verdict& verdict) {
  return headline(verdict.validity) +
         first_lines(verdict_text(loaded, verdict, {.clock_skew = kCheckFlags.clock_skew}),
                     kMaxLines - 2);
}

}  // namespace

RunResults::RunResults(const CheckRequest& request, std::string path)
    : request_(request), path_(std::move(path)), folder_(run_of(path_)) {
  if (folder_) {
    *folder_ /= "elapid";
  }
}

Report RunResults::begin() const {
  return folder_ ? Report()
                 : Report{.err = visible_line(path_) +
                                 ": no results are written, since it is not a run of a store\n"};
}

Report RunResults::add(LoadedHistory& loaded, const Verdict& verdict, Progress& progress) {
  if (!folder_) {
    return {};
  }
  const fs::path folder = folder_of(loaded.key());
  Report report = make_room();
  std::vector<EvidenceFile> files = files_of_report(request_, path_, loaded, verdict);
  if (files.empty()) {
    files.push_back({.path = kSummary, .content = words_of(loaded, verdict)});
  }
  append(report, evidence_report(path_, folder.string(), request_.plots, loaded, verdict,
                                 std::move(files), progress));
  append(report, written(folder / kMap,
                         result_map(loaded.history(), verdict, Syntax::kEdn, event_fields(loaded),
                                    std::min(request_.max_map_bytes, kMaxMapBytes)) +
                             "\n"));
  if (!loaded.key().empty()) {
    keys_.push_back({loaded.key(), verdict.validity});
  }
  return report;
}

Report RunResults::fail(const std::string& problem, const std::string& key) {
  if (!folder_) {
    return {};
  }
  DocumentWriter out(Syntax::kEdn);
  out.open(Container::kMap, 1);
  out.key("valid?").keyword(validity_word(Validity::kUnknown));
  write_problem(out, problem);
  out.close();
  Report report = make_room();
  append(report, write_answer(folder_of(key), std::move(out).take(),
                              headline(Validity::kUnknown) + visible_line(problem) + "\n"));
  if (!key.empty()) {
    keys_.push_back({key, Validity::kUnknown});
    problem_ = problem_.empty() ? problem : problem_;
  }
  return report;
}

Report RunResults::end() {
  if (keys_.empty()) {
    return {};
  }
  Validity all = Validity::kValid;
  for (const KeyVerdict& one : keys_) {
    all = gravest(all, one.validity);
  }
  DocumentWriter out(Syntax::kEdn);
  std::string summary = headline(all);
  out.open(Container::kMap, 1);
  out.key("valid?");
  write_truth(out, all);
  for (const auto& [name, validity] : {std::pair("failures", Validity::kInvalid),
                                       std::pair("elapid/unknown", Validity::kUnknown)}) {
    out.key(name).each(keys_, [&](const KeyVerdict& one) {
      if (one.validity == validity) {
        out.form(one.key);
        summary += fmt::format("{}: key {}\n", validity_word(validity), one.key);
      }
    });
  }
  out.key("elapid/keys").integer(keys_.size());
  if (!problem_.empty()) {
    write_problem(out, problem_);
    summary += visible_line(problem_) + "\n";
  }
  out.close();
  return write_answer(*folder_, std::move(out).take(), first_lines(summary, kMaxLines - 1));
}

Report RunResults::make_room() {
  if (std::exchange(has_room_, true) || request_.job.check.assumptions.elle_compat) {
    return {};
  }
  PastEvidence past(*folder_);
  const Status removed = past.remove(path_);
  return removed.ok() ? Report() : error_report(removed.error());
}

fs::path RunResults::folder_of(const std::string& key) const {
  return key.empty() ? *folder_ : *folder_ / safe_file_name("key-" + key);
}

}  // namespace elapid
