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

/// The state of a stream.
struct WatchFacts {
  const OnlineChecker& checker;
  std::uint64_t errors = 0;                ///< lines that could not be parsed
  std::optional<double> rate = {};         ///< transactions a second since the last progress
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

/// A notice that the initial value seems to differ from the assumed one, if it does. `option`: the
/// caller's name of the option for the initial value.
void append_initial_hint(std::string& out, const WatchFacts& state, const AtomTable& atoms,
                         std::string_view initial, std::string_view option);

/// `{"event": "progress", ..., "valid?": ...}`: the progress, and the verdict if nothing
/// followed.
void append_progress(std::string& out, const WatchFacts& state);

/// `{"event": "summary", "valid?": ..., ...}`: the last line. `is_whole`: the stream has ended.
void append_summary(std::string& out, const WatchFacts& state, std::string_view level,
                    bool is_whole);

/// Whether final and provisional violations, and doubts, leave the stream valid. Lines with errors
/// may have written, at any time, any value that was read.
[[nodiscard]] Validity validity_of(const WatchFacts& state);

}  // namespace elapid
