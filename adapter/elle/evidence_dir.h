// The directory of evidence: Elle's files in Elle's layout, and files for anomalies that Elle does
// not write.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "adapter/elle/event_text.h"
#include "adapter/elle/plots.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// A file of the directory, by its path there.
struct EvidenceFile {
  std::filesystem::path path = {};
  std::string content = {};
};

struct EvidenceOptions {
  std::string history = {};  ///< its name in the directory's list (evidence_list.h)
  PlotOptions plots = {};
  std::size_t max_plots = 500;  ///< further plots are left out, with a note
  EventFieldsFn fields = {};
  /// Further files: written first, for any verdict, and removed as the others are.
  std::vector<EvidenceFile> more = {};
  /// Called before each picture is drawn. Returning false stops the writing.
  std::function<bool()> progress = {};
};

/// Writes the further files of the options. For a verdict that is not valid, also writes
/// `<type>.txt` with all violations of a type, `<type>/<i>.dot` with each cycle in Graphviz's
/// language, `sccs/<i>.dot` with the verdict's components, `incompatible-order/<key>.html`.
/// Drawing pictures takes longer than a check, so they are drawn from these texts on demand,
/// beside them (`0.svg`). The list names the pictures already, so that they are removed with the
/// texts. First removes the files of an earlier check, for any verdict. Other files stay, or are
/// replaced.
///
/// Under elle_compat writes Elle's files alone: texts of cycles that have a class, with pictures
/// (`<type>/<i>.svg`); removes none.
///
/// Returns notes on what was left out and why, one sentence each. Error: kUnreadable with the first
/// file that could not be written or removed, or if the callback stopped the writing.
Result<std::vector<std::string>> write_evidence(const std::filesystem::path& directory,
                                                const History& history, const Verdict& verdict,
                                                const EvidenceOptions& options);

/// Writes only these files, and removes those of an earlier call or check. `history`: as in
/// EvidenceOptions. Error: as write_evidence().
Status write_files(const std::filesystem::path& directory, const std::string& history,
                   const std::vector<EvidenceFile>& files);

}  // namespace elapid
