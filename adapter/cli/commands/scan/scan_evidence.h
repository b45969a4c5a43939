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

/// Where what is written about the history at `path` stands below a folder: by the same path,
/// without the root, and with `..` as `%2E.`.
[[nodiscard]] std::filesystem::path place_of_evidence(const std::string& path);

/// Error: kUsage if two of the histories have one place.
Status check_places(std::span<const std::string> paths);

/// Writes what a scan was asked to about the histories of one input: evidence files into
/// `DIR/<place>`, or with --independent `DIR/<place>/key-<key>`, and certificates into
/// `DIR/<place>.cert`. Nothing if nothing was asked for.
class ScanEvidence {
 public:
  ScanEvidence(const CheckRequest& request, std::string path)
      : request_(request), path_(std::move(path)), place_(place_of_evidence(path_)) {}

  /// Before the first history: makes room. Error: kUnreadable.
  Status begin();

  /// A verdict on the current history; there may be one a level.
  void add(const LoadedHistory& loaded, const Verdict& verdict);

  /// Ends the current history; its evidence is what some verdict shows, of each type of anomaly
  /// that of the first one that does. What was left out is in the report, and errors are.
  Report end_history(LoadedHistory& loaded, Progress& progress);

  /// After the last history; a certificate's file is there then if there was a verdict. Error:
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
