// Turns the findings of a verdict into the findings of a report.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "adapter/elle/description_text.h"
#include "adapter/report/faults.h"
#include "adapter/report/report_model.h"
#include "adapter/source/source_words.h"
#include "engine/evidence/describe.h"
#include "engine/verdict/description.h"
#include "parsers/read.h"

namespace elapid {

/// Tells the findings of one history, one after the other, within common limits.
class FindingTeller {
 public:
  /// `words` find places in the source, `options` have the texts read from it (with_source());
  /// `faults` are those of the history.
  FindingTeller(LoadedHistory& loaded, SourceWords& words, const TextOptions& options,
                const ReportLimits& limits, std::span<const ReportFault> faults)
      : loaded_(loaded),
        history_(loaded.history()),
        words_(words),
        options_(options),
        limits_(limits),
        faults_(faults),
        whole_bytes_left_(limits.all_whole_bytes) {}

  /// `place`: among all findings, from 0.
  [[nodiscard]] ReportFinding tell(const Finding& finding, std::size_t place, bool by_timestamps);

 private:
  ReportActor tell(const Actor& actor, const std::string& anchor, std::size_t number);
  void add_keys(const Actor& actor, ReportFinding& told) const;
  /// Adds the event as its source has it; otherwise in full.
  void add_whole(EventRef event, ReportActor& told);
  /// The text if it fits, else nothing.
  std::string within_bounds(std::string text);

  LoadedHistory& loaded_;
  const History& history_;
  SourceWords& words_;
  const TextOptions& options_;
  const ReportLimits& limits_;
  std::span<const ReportFault> faults_;
  std::size_t whole_bytes_left_;
};

}  // namespace elapid
