// The answer of one checker to one question about one history.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/levels/validity.h"

namespace elapid {

enum class Outcome : std::uint8_t {
  kValid,
  kInvalid,
  kUnknown,
  kFailed,    ///< no verdict: it crashed, reached a limit, or printed something else
  kNotAsked,  ///< it does not decide the level, or cannot read the history
};

struct CheckerAnswer {
  Outcome outcome = Outcome::kNotAsked;
  std::string reason = {};  ///< why there is no verdict, in one line
  // In whole microseconds, so that a record keeps it without rounding.
  std::chrono::microseconds cpu_time{};
  std::chrono::microseconds wall_time{};
  std::uint64_t peak_bytes = 0;  ///< 0: not known, as for an engine in this process
  std::string format = {};       ///< the format that it was given; empty: the original
  std::string losses = {};       ///< what that format lost or invented, in letters
  std::string excuses = {};      ///< the losses that can change a verdict

  [[nodiscard]] bool is_verdict() const {
    return outcome == Outcome::kValid || outcome == Outcome::kInvalid;
  }
};

/// `valid`, `invalid`, `unknown`, `failed` or `-`.
[[nodiscard]] std::string_view name(Outcome outcome);

/// The inverse of name(); nothing for other words.
[[nodiscard]] std::optional<Outcome> find_outcome(std::string_view word);

[[nodiscard]] Outcome outcome_of(Validity validity);

}  // namespace elapid
