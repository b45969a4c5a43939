// elapid certify: verify certificates of a history without the engine that wrote them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapter/certificate/certificate.h"
#include "adapter/cli/command.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/options/input_flags.h"
#include "adapter/cli/reports/reports.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

struct CertifyFlags {
  CheckFlags check = {};
  std::string certificate = {};
};

/// One line of the answer.
struct Row {
  std::string label;
  std::string model;  ///< and what is assumed
  std::string_view validity;
  std::optional<std::string> flaw;
};

std::string model_text(const Certificate& certificate) {
  const Assumptions& assumed = certificate.assumptions;
  std::string text(certificate.by_transaction ? kByTransactionWord
                                              : friendly_name(certificate.model));
  for (const auto& [word, assumption] : kKeyAssumptions) {
    text += assumed.*assumption ? fmt::format(" +{}", word) : "";
  }
  return text + (assumed.transaction_order.empty() ? "" : " +transaction-order");
}

std::string_view claim_text(const Certificate& certificate) {
  if (std::holds_alternative<certify::NoPrediction>(certificate.evidence)) {
    return "no prediction";
  }
  return std::holds_alternative<Witness>(certificate.evidence) ? "valid" : "invalid";
}

std::string table(const std::vector<Row>& rows) {
  std::size_t label_width = 0;
  std::size_t claim_width = 7;
  std::size_t model_width = 0;
  for (const Row& row : rows) {
    label_width = std::max(label_width, row.label.size());
    model_width = std::max(model_width, row.model.size());
    claim_width = std::max(claim_width, row.validity.size());
  }
  std::string out;
  for (const Row& row : rows) {
    out += fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", row.label, label_width, row.model,
                       model_width, row.validity, claim_width,
                       row.flaw ? "rejected: " + *row.flaw : std::string("accepted"));
  }
  return out;
}

Result<Report> certify(const CertifyFlags& flags, const ReadOptions& options,
                       const LevelRules& rules, Progress& progress) {
  const std::string& path = flags.check.input.inputs.front();
  ELAPID_ASSIGN_OR_RETURN(std::vector<LoadedHistory> loaded, read_inputs(path, options, progress));
  for (LoadedHistory& history : loaded) {
    static_cast<void>(apply(rules, history.history()));  // check reports the rules without effect
  }
  const auto find_loaded = [&](std::string_view key) {
    return std::ranges::find(loaded, key, &LoadedHistory::key);
  };
  const Result<std::vector<Certificate>> certificates =
      read_certificates(flags.certificate, [&](std::string_view key) {
        const auto found = find_loaded(key);
        return found == loaded.end() ? nullptr : &found->history();
      });
  ELAPID_RETURN_IF_ERROR(certificates);
  const JudgeRequest objects = {.failed_cas = failed_cas_of(flags.check.failed_cas),
                                .settings = flags.check.settings};
  std::vector<Row> rows;
  for (const Certificate& certificate : certificates.value()) {
    progress.stage(path, "certify");
    const auto history = find_loaded(certificate.key);
    rows.push_back({.label = visible_line(label_of(path, *history)),
                    .model = model_text(certificate),
                    .validity = claim_text(certificate),
                    .flaw = flaw_of(certificate, history->history(), objects)});
  }
  const bool all_accepted =
      std::ranges::none_of(rows, [](const Row& row) { return row.flaw.has_value(); });
  return Report{.out = table(rows), .code = all_accepted ? ExitCode::kOk : ExitCode::kInvalid};
}

Result<ExitCode> run_certify(const CertifyFlags& flags) {
  ELAPID_ASSIGN_OR_RETURN(const ReadOptions options, read_options(flags.check.input));
  ELAPID_ASSIGN_OR_RETURN(const LevelRules rules, level_rules_of(flags.check.level_rules));
  Progress progress(false);
  return print_reports(1, 1, progress,
                       [&](std::size_t) { return certify(flags, options, rules, progress); });
}

}  // namespace

Command certify_command() {
  const auto flags = std::make_shared<CertifyFlags>();
  Command command = {.name = "certify",
                     .about = "Verify certificates that check wrote, independently",
                     .run = [flags] { return run_certify(*flags); }};
  add_certified_flags(command.options, flags->check);
  command.options.at("INPUT").once().means("INPUT", "The history: file, directory or -");
  command.options
      .argument("FILE", flags->certificate, "Certificates of it (see docs/certificates.md)")
      .required();
  return command;
}

}  // namespace elapid
