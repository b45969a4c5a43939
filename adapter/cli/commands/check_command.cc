// elapid check: decide whether histories satisfy isolation levels.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "adapter/certificate/certificate.h"
#include "adapter/cli/command.h"
#include "adapter/cli/options/names.h"
#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/ci/ci_report.h"
#include "adapter/cli/reports/junit.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/terminal.h"
#include "adapter/elle/evidence_list.h"
#include "engine/workloads/object_claims.h"
#include "parsers/bytes/left_to_system.h"
#include "parsers/door/door.h"
#include "parsers/partitions/peers.h"

namespace elapid {
namespace {

/// Adds the proofs of a verdict to the file, if there is one. Reports a verdict without a proof,
/// and a workload without levels, whose verdicts have none.
Report add_certificate(const std::string& path, const CheckedHistory& checked,
                       std::optional<CertificateWriter>& certificate) {
  const History& history = checked.loaded.history();
  const bool has_certificates = history.workload().has_levels() ||
                                has_object_claims(history.workload(), Model::kLinearizable);
  if (certificate && !has_certificates) {
    return error_report(
        usage_error("workload " + std::string(history.workload().name()) + " has no certificates"));
  }
  if (certificate && !certificate->add(history, checked.loaded.key(), checked.verdict)) {
    return {.err = path + ": no certificate: the answer has no proof that elapid certify knows\n"};
  }
  return {};
}

/// What checks write beside their reports, and the evidence of earlier checks that they replace.
struct Evidence {
  std::optional<CertificateWriter> certificate = {};
  std::optional<PastEvidence> past = {};
};

/// The results of an input beside its report.
struct InputOutcome {
  std::vector<std::optional<Validity>> validities = {};  ///< of the histories in it
  std::vector<CiHistory> for_ci = {};                    ///< if the output is made of these
};

/// The results of one history of an input.
struct HistoryOutcome {
  Report report = {};
  std::optional<Validity> validity = {};
  std::vector<CiHistory> for_ci = {};
  std::vector<JUnitCase> cases = {};
};

/// Of what could not be checked: a case in JUnit, a line in JSON lines. The key is an independent
/// one; empty if the error is about the whole input.
HistoryOutcome failed(const CheckRequest& request, const std::string& path, const std::string& key,
                      const Error& error) {
  HistoryOutcome outcome = {.report = error_report(error),
                            .for_ci = {ci_failure(path, error)},
                            .cases = {{.name = (key.empty() ? "" : "[key " + key + "] ") + "check",
                                       .outcome = JUnitOutcome::kError,
                                       .message = error.to_string()}}};
  if (!key.empty()) {
    outcome.for_ci.front().path = error.file;
  }
  outcome.report.is_document = request.output != OutputFormat::kText;
  outcome.report.out = request.output == OutputFormat::kJsonl ? error_map(path, key, error) : "";
  return outcome;
}

HistoryOutcome outcome_of(const CheckRequest& request, ReportSubject subject,
                          CheckedHistory& history, Progress& progress, Evidence& evidence) {
  subject.vacuity = vacuity(request, history.loaded.history());
  subject.lint = lint_failure(request, history.loaded);
  HistoryOutcome outcome = {.report = check_report(request, subject, history, progress),
                            .validity = history.verdict.validity};
  if (request.output == OutputFormat::kJunit) {
    outcome.cases = junit_cases(request, subject, history);
  }
  if (is_for_ci(request.output)) {
    outcome.for_ci.push_back(
        ci_history(subject.path, history.loaded, history.verdict, kCheckFlags.clock_skew));
    outcome.for_ci.back().vacuity = subject.vacuity;
  }
  append(outcome.report, add_certificate(subject.path, history, evidence.certificate));
  return outcome;
}

Report check_one(const CheckRequest& request, std::size_t input, Progress& progress,
                 InputOutcome& outcome, Evidence& evidence) {
  const std::string& path = request.inputs[input];
  std::vector<HistoryOutcome> all;
  Status removed;
  bool is_first = true;
  const auto visit = [&](Result<CheckedHistory> history, HistoryPlace at) {
    all.resize(at.count);
    if (!history) {
      all[at.place] = failed(request, path, at.key, history.error());
      return;
    }
    if (std::exchange(is_first, false) && evidence.past) {
      removed = evidence.past->remove(path);
    }
    if (removed) {
      all[at.place] = outcome_of(request,
                                 {.path = path,
                                  .input = input,
                                  .part = at.place,
                                  .is_alone = request.inputs.size() == 1 && at.count == 1},
                                 history.value(), progress, evidence);
    }
  };
  if (const Status checked = check_each(path, request.job, observer(path, progress), visit);
      !checked) {
    all.clear();
    all.push_back(failed(request, path, "", checked.error()));
  }
  if (!removed) {
    return error_report(removed.error());
  }
  Report report;
  JUnitSuite suite = {.name = path};
  for (HistoryOutcome& history : all) {
    outcome.validities.push_back(history.validity);
    append(report, std::move(history.report));
    std::ranges::move(history.cases, std::back_inserter(suite.cases));
    std::ranges::move(history.for_ci, std::back_inserter(outcome.for_ci));
  }
  report.out += request.output == OutputFormat::kJunit ? to_xml(suite) : "";
  return report;
}

std::string summary(const std::vector<std::optional<Validity>>& validities) {
  const auto count = [&](std::optional<Validity> validity) {
    return std::count(validities.begin(), validities.end(), validity);
  };
  return fmt::format("{} histories: {} valid, {} invalid, {} unknown, {} not readable or refused\n",
                     validities.size(), count(Validity::kValid), count(Validity::kInvalid),
                     count(Validity::kUnknown), count(std::nullopt));
}

/// Explains the levels asked for whose names may be mistaken for others.
void print_level_notes(const CheckRequest& request, const std::string& levels) {
  const bool is_wanted = request.output == OutputFormat::kText &&
                         request.detail != Detail::kQuiet &&
                         !request.job.check.assumptions.elle_compat;
  for (const std::string& note :
       is_wanted ? short_name_notes(levels) : std::vector<std::string>()) {
    fmt::print(stderr, "elapid: {}\n", note);
  }
}

/// Begins the files of one input: one certificate holds its proofs. Elle removes no evidence.
Status begin_evidence(const CheckRequest& request, Evidence& evidence) {
  if (request.directory && !request.job.check.assumptions.elle_compat) {
    evidence.past.emplace(*request.directory);
  }
  if (!request.certificate) {
    return {};
  }
  if (request.inputs.size() != 1) {
    return usage_error("--certificate takes one input");
  }
  std::error_code ignored;
  if (std::filesystem::equivalent(*request.certificate, request.inputs.front(), ignored)) {
    return usage_error("--certificate would replace the history");
  }
  ELAPID_ASSIGN_OR_RETURN(CertificateWriter writer,
                          CertificateWriter::create(*request.certificate));
  evidence.certificate.emplace(std::move(writer));
  return {};
}

/// The other ranks do their share of the work and print nothing.
Result<ExitCode> share_work(const CheckRequest& request) {
  ELAPID_RETURN_IF_ERROR(check_input(request.inputs.front(), request.job));
  return ExitCode::kOk;
}

Result<ExitCode> run_check(const CheckFlags& flags, Peers* peers) {
  if (flags.no_sync) {
    leave_disk_to_system();
  }
  ELAPID_ASSIGN_OR_RETURN(CheckRequest made, check_request(flags));
  ELAPID_ASSIGN_OR_RETURN(std::vector<std::string> inputs, histories_named(flags.input));
  CheckRequest& request = made;
  request.inputs = std::move(inputs);
  share_threads(request.inputs.size(), request);
  if (peers != nullptr) {
    if (request.inputs.size() != 1) {
      return usage_error("several processes share the work on one input");
    }
    request.job.limits.scratch.peers = peers;
    request.job.read.threads = flags.input.threads == 0 ? 1 : request.job.read.threads;
    if (!peers->is_first()) {
      return share_work(request);
    }
  }
  Progress progress(request.detail == Detail::kQuiet);
  Evidence evidence;
  ELAPID_RETURN_IF_ERROR(begin_evidence(request, evidence));
  std::vector<InputOutcome> outcomes(request.inputs.size());
  const bool is_junit = request.output == OutputFormat::kJunit;
  print_document(is_junit ? junit_begin() : "");
  const ExitCode code =
      print_reports(outcomes.size(), request.threads, progress, [&](std::size_t input) {
        return check_one(request, input, progress, outcomes[input], evidence);
      });
  print_document(is_junit ? junit_end() : "");
  print_level_notes(request, flags.consistency_models);
  if (evidence.certificate && code != ExitCode::kInterrupted) {
    ELAPID_RETURN_IF_ERROR(evidence.certificate->commit());
  }
  std::vector<std::optional<Validity>> validities;
  std::vector<CiHistory> for_ci;
  for (InputOutcome& outcome : outcomes) {
    validities.insert(validities.end(), outcome.validities.begin(), outcome.validities.end());
    std::ranges::move(outcome.for_ci, std::back_inserter(for_ci));
  }
  if (is_for_ci(request.output) && code != ExitCode::kInterrupted) {
    ELAPID_RETURN_IF_ERROR(print_for_ci(request.output, for_ci));
  }
  const bool wants_summary = validities.size() > 1 && request.output == OutputFormat::kText &&
                             request.detail != Detail::kQuiet;
  if (wants_summary && code != ExitCode::kInterrupted) {
    print_text(summary(validities));
  }
  return code;
}

}  // namespace

Command check_command(Peers* peers) {
  const auto flags = std::make_shared<CheckFlags>();
  Command command = {.name = "check",
                     .about = "Decide whether histories satisfy isolation levels",
                     .run = [flags, peers] { return run_check(*flags, peers); }};
  add_check_flags(command.options, *flags);
  command.options.at("--output")
      .means("FORM",
             "text (default), edn, json, jsonl (a map a line); for CI systems junit (XML), sarif "
             "(JSON for code scanning) or github (annotations)")
      .one_of({"text", "edn", "json", "jsonl", "junit", "sarif", "github"});
  return command;
}

}  // namespace elapid
