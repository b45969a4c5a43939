// The events of `elapid watch`, as lines of JSON (docs/timestamps.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/online/online_checker.h"

namespace elapid {

/// The properties of the check that events depend on.
struct OnlineEventStyle {
  bool at_commit = false;  ///< as TimestampEvidence::at_commit
  /// Old versions are forgotten: a value may only seem unwritten, a dependency only seem absent.
  bool is_sorted = false;
};

/// What a stream has come to.
struct WatchFacts {
  const OnlineChecker& checker;
  std::uint64_t errors = 0;                ///< lines that were not understood
  std::optional<double> rate = {};         ///< transactions a second since the last time
  std::optional<std::size_t> memory = {};  ///< bytes
  bool is_sorted = false;                  ///< see OnlineEventStyle
};

/// `{"event": "provisional" | "retracted" | "final" | "late", ...}` and a newline.
void append_event(std::string& out, const OnlineEvent& event, const AtomTable& atoms,
                  const OnlineEventStyle& style = {});

/// `{"event": "error", "line": ..., "message": ...}`.
void append_error(std::string& out, std::uint64_t line, std::string_view message);

/// `{"event": "notice", "message": ...}`.
void append_notice(std::string& out, std::string_view message);

/// A notice that the initial value seems to be another one than was taken for granted, if it does.
/// `option`: what the caller calls the choice of the initial value.
void append_initial_hint(std::string& out, const WatchFacts& state, const AtomTable& atoms,
                         std::string_view initial, std::string_view option);

/// `{"event": "progress", ..., "valid?": ...}`: how far it is, and what the verdict would be if
/// nothing followed.
void append_progress(std::string& out, const WatchFacts& state);

/// `{"event": "summary", "valid?": ..., ...}`: the last line. `is_whole`: the stream has ended.
void append_summary(std::string& out, const WatchFacts& state, std::string_view level,
                    bool is_whole);

/// Whether the violations that are final or provisional, and what is in doubt, leave the stream
/// valid. Lines that were not understood may have written whatever seems to come from nowhere.
[[nodiscard]] Validity validity_of(const WatchFacts& state);

}  // namespace elapid
