#include "adapter/cli/commands/scan/scan_evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "adapter/cli/reports/check_report.h"
#include "adapter/cli/reports/report_folder.h"
#include "adapter/elle/evidence_list.h"
#include "adapter/elle/file_output.h"
#include "adapter/elle/verdict_view.h"
#include "engine/workloads/object_claims.h"
#include "parsers/door/door.h"

namespace elapid {

namespace {

/// Adds the levels of a verdict.
void add_levels(const Verdict& from, Verdict& to) {
  to.checked |= from.checked;
  to.not_models |= from.not_models;
  to.also_not_models |= from.also_not_models;
  to.complete = to.complete && from.complete;
  to.engine = to.engine.empty() ? from.engine : to.engine;
  to.levels.insert(to.levels.end(), from.levels.begin(), from.levels.end());
  const auto fill = [](auto& into, const auto& with) {
    if (!into) {
      into = with;
    }
  };
  fill(to.mix, from.mix);
  fill(to.timestamps, from.timestamps);
  fill(to.cross_check, from.cross_check);
  fill(to.unknown_because, from.unknown_because);
  fill(to.elle_error, from.elle_error);
  if (to.ladder.empty()) {
    to.ladder = from.ladder;
  }
  if (to.findings.empty()) {
    to.findings = from.findings;
  }
}

/// Adds anomalies of types that `to` does not have yet.
void add_anomalies(const Verdict& from, Verdict& to) {
  for (std::span<const Anomaly> rest = from.anomalies; !rest.empty();) {
    const std::span<const Anomaly> of_type = first_of_type(rest);
    rest = rest.subspan(of_type.size());
    if (std::ranges::find(to.anomalies, of_type.front().type, &Anomaly::type) ==
        to.anomalies.end()) {
      to.anomalies.insert(to.anomalies.end(), of_type.begin(), of_type.end());
    }
  }
  if (to.components.empty()) {
    to.components = from.components;
  }
  if (from.of_claims) {
    to.of_claims = gravest(validity_of_claims(to), *from.of_claims);
  }
  to.validity = gravest(to.validity, from.validity);
}

}  // namespace

std::filesystem::path place_of_evidence(const std::string& path) {
  std::filesystem::path place;
  for (const std::filesystem::path& part : std::filesystem::path(path).lexically_normal()) {
    if (part != "/" && part != "." && !part.empty()) {
      place /= safe_file_name(part.string());
    }
  }
  return place;
}

Status check_places(std::span<const std::string> paths) {
  std::map<std::filesystem::path, std::string> by_place;
  for (const std::string& path : paths) {
    const auto [other, is_new] = by_place.emplace(place_of_evidence(path), path);
    if (!is_new) {
      return usage_error(fmt::format("evidence of {} and of {} would have one place, {}",
                                     other->second, path, other->first.string()));
    }
  }
  return {};
}

Status ScanEvidence::begin() {
  if (request_.directory && !request_.job.check.assumptions.elle_compat) {
    PastEvidence past(*request_.directory / place_);
    ELAPID_RETURN_IF_ERROR(past.remove(path_));
  }
  if (!request_.certificate) {
    return {};
  }
  const std::filesystem::path file = *request_.certificate / place_;
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  if (error) {
    return Error{.kind = ErrorKind::kUnreadable,
                 .message = "cannot be made: " + error.message(),
                 .file = file.parent_path().string()};
  }
  ELAPID_ASSIGN_OR_RETURN(CertificateWriter writer,
                          CertificateWriter::create(file.string() + ".cert"));
  certificate_.emplace(std::move(writer));
  return {};
}

void ScanEvidence::add(const LoadedHistory& loaded, const Verdict& verdict) {
  has_verdict_ = true;
  const Workload workload = loaded.history().workload();
  if (certificate_ &&
      (workload.has_levels() || has_object_claims(workload, Model::kLinearizable))) {
    certificate_->add(loaded.history(), loaded.key(), verdict);
  }
  if (!request_.directory) {
    return;
  }
  if (!seen_) {
    seen_ = Verdict{.engine = "", .complete = true, .assumptions = verdict.assumptions};
  }
  add_anomalies(verdict, *seen_);
  add_levels(verdict, *seen_);
}

Report ScanEvidence::end_history(LoadedHistory& loaded, Progress& progress) {
  if (!seen_) {
    return {};
  }
  std::filesystem::path folder = *request_.directory / place_;
  if (!loaded.key().empty()) {
    folder /= safe_file_name("key-" + loaded.key());
  }
  std::vector<EvidenceFile> more;
  if (seen_->validity != Validity::kValid) {
    more = files_of_report(request_, path_, loaded, *seen_);
  }
  Report report = evidence_report(path_, folder.string(), request_.plots, loaded, *seen_,
                                  std::move(more), progress);
  seen_.reset();
  remove_if_empty(folder);
  return report;
}

Status ScanEvidence::commit() {
  if (request_.directory) {
    remove_if_empty(*request_.directory / place_);
  }
  return certificate_ && has_verdict_ ? certificate_->commit() : Status();
}

}  // namespace elapid
