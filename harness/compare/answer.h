// What one checker answers to one question about one history.
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
  kFailed,    ///< gave no verdict: crashed, reached a limit, or printed an unknown answer
  kNotAsked,  ///< does not decide the level, or cannot be given the history
};

struct CheckerAnswer {
  Outcome outcome = Outcome::kNotAsked;
  std::string reason = {};  ///< why there is no verdict, on one line
  // Whole microseconds, as a record keeps them: what is read back equals what was measured.
  std::chrono::microseconds cpu_time{};
  std::chrono::microseconds wall_time{};
  std::uint64_t peak_bytes = 0;  ///< 0: not known, as of an engine in this process
  std::string format = {};       ///< that the history was shown in; empty: as it is
  std::string losses = {};       ///< letters of what that lost or made up
  std::string excuses = {};      ///< those of them that can turn a verdict around

  [[nodiscard]] bool is_verdict() const {
    return outcome == Outcome::kValid || outcome == Outcome::kInvalid;
  }
};

/// `valid`, `invalid`, `unknown`, `failed` or `-`.
[[nodiscard]] std::string_view name(Outcome outcome);

/// The inverse; nothing for another word.
[[nodiscard]] std::optional<Outcome> find_outcome(std::string_view word);

[[nodiscard]] Outcome outcome_of(Validity validity);

}  // namespace elapid
