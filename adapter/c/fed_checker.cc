#include "adapter/c/fed_checker.h"

#include <utility>

#include "adapter/elle/result_map.h"
#include "adapter/report/forms/report_json.h"
#include "adapter/report/report.h"
#include "adapter/report/result_folder.h"
#include "adapter/source/verdict_text.h"
#include "parsers/door/availability.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

constexpr std::string_view kName = "history";  // of a history in memory, in messages

/// Escapes zero bytes as strings of EDN do. Outside of strings EDN has no zero byte.
std::string without_zeros(std::string_view edn) {
  std::string text;
  for (const char c : edn) {
    text += c == '\0' ? std::string_view("\\u0000") : std::string_view(&c, 1);
  }
  return text;
}

}  // namespace

FedChecker::Judged::Judged(std::string name, LoadedHistory&& history, Verdict&& its)
    : path(std::move(name)),
      loaded(std::move(history)),
      verdict(std::move(its)),
      key(without_zeros(loaded.key())) {}

Status FedChecker::set(std::string_view name, std::string_view value) {
  job_.reset();
  return elapid::set(settings_, name, value);
}

Status FedChecker::add_line(std::string_view line) {
  if (line.find('\n') != std::string_view::npos) {
    return usage_error("expected one line, found several");
  }
  lines_.reserve(lines_.size() + line.size() + 1);
  lines_ += line;
  lines_ += '\n';
  return {};
}

void FedChecker::clear() {
  lines_.clear();
  forget_verdicts();
}

Status FedChecker::prepare() {
  forget_verdicts();
  if (job_) {
    return {};
  }
  ELAPID_ASSIGN_OR_RETURN(job_, job_of(settings_));
  job_->read.progress = [this](std::uint64_t /*done*/, std::uint64_t /*total*/) {
    return !is_cancelled_;
  };
  job_->limits.is_cancelled = [this] { return is_cancelled_.load(); };
  return {};
}

bool FedChecker::take_cancel() {
  const bool was_cancelled = is_cancelled_.exchange(false);
  if (was_cancelled) {
    forget_verdicts();
  }
  return was_cancelled;
}

Status FedChecker::check_lines() {
  ELAPID_RETURN_IF_ERROR(prepare());
  ReadOptions options = job_->read;
  options.format = {.format = &recorder_format()};
  return judge(std::string(kName),
               read_histories(memory_source(std::string(kName), lines_), options));
}

Status FedChecker::check_file(const std::string& path) {
  Status prepared = prepare();
  return prepared.ok() ? judge(path, read_histories(path, job_->read)) : prepared;
}

Status FedChecker::check_memory(std::string bytes) {
  Status prepared = prepare();
  return prepared.ok() ? judge(std::string(kName),
                               read_histories(memory_source(std::string(kName), std::move(bytes)),
                                              job_->read))
                       : prepared;
}

Status FedChecker::judge(const std::string& name, Result<std::vector<LoadedHistory>> loaded) {
  ELAPID_RETURN_IF_ERROR(loaded);
  const Availability availability(*job_, loaded.value());
  std::vector<Judged> judged;
  for (LoadedHistory& history : loaded.value()) {
    Result<Verdict> verdict =
        check_as_asked(history, *job_,
                       {.checking = [this](std::string_view /*stage*/) { return !is_cancelled_; }});
    if (!verdict) {
      return completed(std::move(verdict.error()), name, history);
    }
    availability.judge(verdict.value());
    judged.emplace_back(name, std::move(history), std::move(verdict.value()));
  }
  judged_ = std::move(judged);
  return {};
}

Validity FedChecker::validity(std::size_t history) const {
  return judged_[history].verdict.validity;
}

const std::string& FedChecker::key(std::size_t history) const {
  return judged_[history].key;
}

const std::string& FedChecker::json(std::size_t history) {
  Judged& judged = judged_[history];
  if (!judged.json) {
    judged.json = result_map(judged.loaded.history(), judged.verdict, Syntax::kJson,
                             event_fields(judged.loaded));
  }
  return *judged.json;
}

const std::string& FedChecker::explanation(std::size_t history) {
  Judged& judged = judged_[history];
  if (!judged.explanation) {
    judged.explanation =
        verdict_text(judged.loaded, judged.verdict, {.clock_skew = "the option clock-skew"});
  }
  return *judged.explanation;
}

const std::string* FedChecker::report(std::size_t history, std::string_view file) {
  Judged& judged = judged_[history];
  if (!judged.report) {
    judged.report = files_of(judged);
  }
  const auto found = judged.report->find(file);
  return found == judged.report->end() ? nullptr : &found->second;
}

std::map<std::string, std::string, std::less<>> FedChecker::files_of(Judged& judged) {
  if (judged.verdict.assumptions.elle_compat) {
    return {};
  }
  const ReportModel model =
      report_of(judged.loaded, judged.verdict,
                {.path = judged.path,
                 .version = ELAPID_VERSION,
                 .clock_skew = "the option clock-skew",
                 .more_budget = "more of the limit that is named (the options timeout, memory and "
                                "work), or a weaker level"});
  std::map<std::string, std::string, std::less<>> files = {{"report.json", report_json(model)}};
  for (EvidenceFile& file : report_files(model)) {
    files.emplace(file.path.generic_string(), std::move(file.content));
  }
  return files;
}

}  // namespace elapid
