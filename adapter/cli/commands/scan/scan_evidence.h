// Writes the evidence files and certificates of a scan, for each history.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "adapter/certificate/certificate.h"
#include "adapter/cli/options/check_request.h"
#include "adapter/cli/reports/reports.h"
#include "adapter/cli/terminal/progress.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/read.h"

namespace elapid {

/// The place below a folder for the evidence about the history at `path`: the same path, without
/// the root, and with `..` as `%2E.`.
[[nodiscard]] std::filesystem::path place_of_evidence(const std::string& path);

/// Error: kUsage if two of the histories have the same place.
Status check_places(std::span<const std::string> paths);

/// Writes the files that a scan was asked for about the histories of one input: evidence files into
/// `DIR/<place>`, or with --independent `DIR/<place>/key-<key>`, and certificates into
/// `DIR/<place>.cert`. Nothing if none were asked for.
class ScanEvidence {
 public:
  ScanEvidence(const CheckRequest& request, std::string path)
      : request_(request), path_(std::move(path)), place_(place_of_evidence(path_)) {}

  /// Before the first history: removes old files. Error: kUnreadable.
  Status begin();

  /// A verdict on the current history; there may be one for each level.
  void add(const LoadedHistory& loaded, const Verdict& verdict);

  /// Ends the current history. Its evidence is that of the verdicts; for a type of anomaly that
  /// several verdicts show, that of the first. The report tells what was left out, and errors.
  Report end_history(LoadedHistory& loaded, Progress& progress);

  /// After the last history. If there was a verdict, the certificate's file then exists. Error:
  /// kUnreadable.
  Status commit();

 private:
  const CheckRequest& request_;
  std::string path_;
  std::filesystem::path place_;
  std::optional<CertificateWriter> certificate_ = {};
  bool has_verdict_ = false;          // on some history of the input
  std::optional<Verdict> seen_ = {};  // of the current history
};

}  // namespace elapid
