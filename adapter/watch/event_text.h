// What `elapid watch` tells, as lines of JSON (docs/timestamps.md).
#ifndef ELAPID_ADAPTER_WATCH_EVENT_TEXT_H_
#define ELAPID_ADAPTER_WATCH_EVENT_TEXT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/online/online_checker.h"

namespace elapid {

/// What a stream has come to.
struct WatchFacts {
  const OnlineChecker& checker;
  std::uint64_t errors = 0;                ///< lines that were not understood
  std::optional<double> rate = {};         ///< transactions a second since the last time
  std::optional<std::size_t> memory = {};  ///< bytes
  bool is_sorted = false;                  ///< see append_event()
};

/// `{"event": "provisional" | "retracted" | "final" | "late", ...}` and a newline.
/// `is_sorted`: what seems to come from nowhere may have been forgotten.
void append_event(std::string& out, const OnlineEvent& event, const AtomTable& atoms,
                  bool is_sorted = false);

/// `{"event": "error", "line": ..., "message": ...}`.
void append_error(std::string& out, std::uint64_t line, std::string_view message);

/// `{"event": "progress", ...}`: how far it is.
void append_progress(std::string& out, const WatchFacts& state);

/// `{"event": "summary", "valid?": ..., ...}`: the last line. `is_whole`: the stream has ended.
void append_summary(std::string& out, const WatchFacts& state, std::string_view level,
                    bool is_whole);

/// Whether the violations that are final or provisional, and what is in doubt, leave the stream
/// valid. Lines that were not understood may have written whatever seems to come from nowhere.
[[nodiscard]] Validity validity_of(const WatchFacts& state);

}  // namespace elapid

#endif  // ELAPID_ADAPTER_WATCH_EVENT_TEXT_H_
