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
  std::string history = {};  ///< what the directory's list calls it (evidence_list.h)
  PlotOptions plots = {};
  std::size_t max_plots = 500;  ///< further ones are left out, with a note
  EventFieldsFn fields = {};
  /// Further files, written first and whatever the verdict, and removed as the others are.
  std::vector<EvidenceFile> more = {};
  /// Called before each picture is drawn. Returning false stops the writing.
  std::function<bool()> progress = {};
};

/// Writes the further files of the options, and for a verdict that is not valid:
/// `<type>.txt` with all violations of a type, `<type>/<i>.dot` with each cycle in Graphviz's
/// language, `sccs/<i>.dot` with the verdict's components, `incompatible-order/<key>.html`.
/// Pictures take longer to draw than a history to check: they are drawn from these texts on demand,
/// beside them (`0.svg`), and the list names them already, so that they go with the texts. What an
/// earlier check left in the directory goes first, whatever the verdict. Files that are there
/// otherwise stay, or are replaced.
///
/// Under elle_compat these are Elle's files alone: texts of cycles that have a class, with pictures
/// (`<type>/<i>.svg`), and none is removed.
///
/// Returns notes on what was left out and why, one sentence each. Error: kUnreadable with the first
/// file that could not be written or removed, or if the callback stopped it.
Result<std::vector<std::string>> write_evidence(const std::filesystem::path& directory,
                                                const History& history, const Verdict& verdict,
                                                const EvidenceOptions& options);

/// Writes these files alone, in place of what an earlier call or check left there. `history`: as in
/// EvidenceOptions. Error: likewise.
Status write_files(const std::filesystem::path& directory, const std::string& history,
                   const std::vector<EvidenceFile>& files);

}  // namespace elapid
