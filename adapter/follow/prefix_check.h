// The verdict on the beginning of a history that is not whole.
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

/// How much of a file is meant.
struct PrefixSize {
  std::uint64_t lines = 0;
  std::uint64_t bytes = 0;
};

/// What is told of a check.
struct PrefixReport {
  PrefixSize size = {};
  std::size_t transactions = 0;
  std::size_t operations = 0;
  ModelSet demanded = {};
  /// Histories of keys of jepsen.independent; one, if the history is not split by key.
  std::size_t histories = 0;
  std::size_t invalid = 0;  ///< of them, perhaps not for certain
  std::size_t settled = 0;  ///< of them: valid so far, and no operation is open
  // Of the models demanded, each is in one of these sets, or unknown.
  ModelSet valid = {};
  ModelSet violated = {};     ///< for certain
  ModelSet provisional = {};  ///< violated, but perhaps not by the whole history
  /// Of everything demanded, further anomalies included.
  Validity validity = Validity::kUnknown;
  std::optional<std::string> unknown_because = {};
  /// What a workload without levels claims is violated, but perhaps not by the whole history.
  bool doubts_claim = false;
  std::vector<std::string> anomalies = {};  ///< names, also of findings, each once
  ModelSet not_models = {};                 ///< see Verdict
  ModelSet also_not_models = {};
};

/// The history and verdict are those of the first key that is violated, if there is one.
struct PrefixVerdict {
  LoadedHistory loaded;
  Verdict verdict;
  PrefixReport report;
};

/// Reads and checks `source`, all of a history or the beginning of one, of this size. `goes_on` is
/// asked often: once it says no, the answer is worthless. Errors: of the reader; kUsage for a
/// format that is not written line by line; those of `options.checker`.
Result<PrefixVerdict> check_prefix(std::unique_ptr<ByteSource> source, PrefixSize size,
                                   const FollowOptions& options, bool is_whole,
                                   const std::function<bool()>& goes_on);

}  // namespace elapid
