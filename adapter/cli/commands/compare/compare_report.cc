#include "adapter/cli/commands/compare/compare_report.h"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "adapter/cli/commands/scan/scan_evidence.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/elle/file_output.h"
#include "adapter/report/level_words.h"
#include "parsers/door/door.h"

namespace elapid {
namespace {

/// `elapid and polysi say valid`.
std::string sides_text(const CompareRequest& request, const std::vector<Side>& sides,
                       std::string_view word) {
  std::vector<std::string> names;
  for (const Side& side : sides) {
    names.push_back(request.checker(side.checker).name);
  }
  return fmt::format("{} {} {}", listed_words(names), names.size() == 1 ? "says" : "say", word);
}

std::string ruling_text(const CompareRequest& request, const Ruling& ruling) {
  const Disagreement& about = ruling.disagreement;
  return fmt::format("{}: {}, {}. Elapid: {}{}{}.", name_of(request, about.question),
                     sides_text(request, about.valid, "valid"),
                     sides_text(request, about.invalid, "invalid"), validity_word(ruling.elapid),
                     ruling.because.empty() ? "" : ", " + ruling.because,
                     ruling.is_verified ? "; its certificate was verified" : "");
}

/// The question, as check would be asked it.
CheckRequest check_request_of(const CompareRequest& request) {
  std::string levels;
  for (const NamedModel& question : request.questions) {
    levels += (levels.empty() ? "" : ",") + question.name;
  }
  return {.question = " -c " + shell_word(levels)};
}

Result<Verdict> own_verdict(const CompareRequest& request, const LoadedHistory& loaded) {
  CheckOptions options = {.words = kCheckFlags};
  for (const NamedModel& question : request.questions) {
    options.models.set(question.model);
  }
  set_limits({.time = request.settings.limits.time,
              .memory = default_memory(),
              .words = "--timeout",
              .is_cancelled = request.settings.is_cancelled},
             options);
  return check_loaded(loaded, options);
}

}  // namespace

ReportOpinions opinions_of(const CompareRequest& request, const ComparedHistory& history) {
  ReportOpinions opinions;
  for (const NamedModel& question : request.questions) {
    opinions.levels.push_back(question.name);
  }
  for (std::size_t place = 0; place < request.participants.size(); ++place) {
    ReportOpinions::Row row{.checker = request.checker(place).name};
    for (const NamedModel& question : request.questions) {
      row.answers.emplace_back();
      for (const Statement& statement : history.statements) {
        if (statement.checker == place && statement.question == question.model) {
          row.answers.back() = std::string(name(statement.answer.outcome));
        }
      }
    }
    opinions.rows.push_back(std::move(row));
  }
  for (const Ruling& ruling : history.rulings) {
    opinions.rulings.push_back(ruling_text(request, ruling));
  }
  return opinions;
}

Report report_comparison(const CompareRequest& request, const std::string& path,
                         LoadedHistory& loaded, const ComparedHistory& history) {
  if (request.directory.empty() || history.rulings.empty()) {
    return {};
  }
  std::filesystem::path folder = std::filesystem::path(request.directory) / place_of_evidence(path);
  if (!loaded.key().empty()) {
    folder /= safe_file_name("key-" + loaded.key());
  }
  const Result<Verdict> verdict = own_verdict(request, loaded);
  if (!verdict) {
    return error_report(verdict.error());
  }
  const Status written =
      write_files(folder, path,
                  files_of_report(check_request_of(request), path, loaded, verdict.value(),
                                  opinions_of(request, history)));
  return written ? Report() : error_report(written.error());
}

}  // namespace elapid
