// Tiny histories with timestamps: the operations of the micro-language (tiny_history.h) after a
// transaction's start and commit.
//
//   1-5 0 wx1 rx1; 3-8 1- wx2; _-9 2? wx3; 10-10 0 rx1
//
// `_` is a timestamp that is missing. Transactions come in the order of their sessions, and each is
// completed before the next one is invoked unless times say otherwise.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/history.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {

struct TimedTxn {
  std::int64_t session = 0;
  TxnStatus status = TxnStatus::kCommitted;
  std::optional<std::int64_t> start = {};
  std::optional<std::int64_t> commit = {};
  /// When the client asked, and when it knew; in all transactions or in none.
  std::optional<std::pair<std::int64_t, std::int64_t>> real_time = {};
  std::vector<TinyMop> mops = {};
};

struct TimedHistory {
  Workload model = Workload::kRwRegister;
  std::vector<TimedTxn> txns = {};
  std::optional<std::int64_t> initial = {};  ///< another name of the initial state, beside nil
};

/// Reads the notation. Throws std::invalid_argument.
[[nodiscard]] TimedHistory parse_timed(Workload model, std::string_view text);
/// Writes it; real time, which the notation lacks, as `@asked-knew` behind each.
[[nodiscard]] std::string to_text(const TimedHistory& history);

/// Throws std::invalid_argument if the builder refuses it.
[[nodiscard]] History build(const TimedHistory& history);

}  // namespace elapid
