// One golden case: a history, options, and what Elle answered.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "engine/check/check.h"
#include "engine/ir/history.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"

namespace elapid {

/// The parts of an answer that are compared. Names begin with a colon.
struct GoldenAnswer {
  std::string valid;  ///< `true`, `false` or `:unknown`
  std::set<std::string> anomaly_types = {};
  std::set<std::string> not_models = {};
  std::set<std::string> also_not_models = {};

  friend bool operator==(const GoldenAnswer&, const GoldenAnswer&) = default;
};

struct GoldenCase {
  std::string name;  ///< as `rw-register/sim-si-n80-s1@lin`
  std::filesystem::path history;
  Workload workload = Workload::kListAppend;
  CheckOptions options;  ///< as Elle was called, but for elle_compat
  GoldenAnswer expected;
  bool elle_threw = false;
  bool is_pairing_error = false;  ///< Elle threw because completions lack invocations
  bool timed_out = false;         ///< Elle's clock ran out: only its verdict is certain
};

/// The cases of a folder of golden files, by name. Throws std::runtime_error if one is unreadable.
[[nodiscard]] std::vector<GoldenCase> golden_cases(const std::filesystem::path& folder);

[[nodiscard]] GoldenAnswer answer_of(const Verdict& verdict);

/// On one line.
[[nodiscard]] std::string to_text(const GoldenAnswer& answer);

/// Whether an answer under elle_compat is as good as Elle's.
[[nodiscard]] bool agrees(const GoldenCase& golden, const Result<Verdict>& result);

}  // namespace elapid
