// The verdict on a prefix of a history.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "adapter/follow/follow.h"
#include "engine/ir/result.h"
#include "engine/levels/models.h"
#include "engine/verdict/verdict.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/read.h"

namespace elapid {

/// The size of a prefix.
struct PrefixSize {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
};

/// The events' facts about a check.
struct PrefixReport {
  PrefixSize size = {};
  std::size_t transactions = 0;
  std::size_t operations = 0;
  ModelSet demanded = {};
  /// The number of keys of jepsen.independent; 1 if the history is not split by key.
  std::size_t histories = 0;
  std::size_t invalid = 0;  ///< invalid histories, perhaps not for certain
  std::size_t settled = 0;  ///< histories that are valid so far, without open operations
  // Each demanded model is in one of these sets, or unknown.
  ModelSet valid = {};
  ModelSet violated = {};     ///< for certain
  ModelSet provisional = {};  ///< violated, but perhaps not by the whole history
  /// Models of which a violation that was certain of a shorter prefix still is.
  ModelSet trusted = {};
  bool trusts_claim = false;  ///< the same of the claim of a workload without levels
  /// On everything demanded, also on further anomalies.
  Validity validity = Validity::kUnknown;
  std::optional<std::string> unknown_because = {};
  /// The claim of a workload without levels is violated, perhaps not by the whole history.
  bool doubts_claim = false;
  std::vector<std::string> anomalies = {};  ///< names, also of findings, each once
  ModelSet not_models = {};                 ///< see Verdict
  ModelSet also_not_models = {};
};

/// The history and verdict are those of the first violated key, if there is one.
struct PrefixVerdict {
  LoadedHistory loaded;
  Verdict verdict;
  PrefixReport report;
};

using OpenPrefix = std::function<std::unique_ptr<ByteSource>()>;

/// Reads and checks a whole history or a prefix of this size, which `open` opens. `goes_on` is
/// called often: once it returns false, the answer is worthless. Errors: of the reader; kUsage for
/// a format that is not written line by line; those of `options.checker`.
Result<PrefixVerdict> check_prefix(const OpenPrefix& open, PrefixSize size,
                                   const FollowOptions& options, bool is_whole,
                                   const std::function<bool()>& goes_on);

/// Whether later lines may undo an error of check_prefix(): the events can be read, and only a
/// guess says what they mean.
bool may_mend(const OpenPrefix& open, const ReadOptions& reading);

}  // namespace elapid
