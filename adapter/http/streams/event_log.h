// The output of `elapid watch` about a stream, line by line, for any number of listeners.
//
// The file only grows, so the state of a listener is a place in it. The listener goes on there
// after a broken connection, and also after a restart of the server. A watch that resumes another
// one's state repeats errors of lines, and after a kill the last numbered events: repetitions are
// skipped.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid::http {

/// The place up to which a listener has heard everything: the id of an event.
struct EventPlace {
  std::uint64_t offset = 0;    ///< bytes of the file
  std::uint64_t numbered = 0;  ///< the greatest `n` of the events before
  std::uint64_t line = 0;      ///< the greatest `line` of the errors before

  friend bool operator==(const EventPlace&, const EventPlace&) = default;
};

/// `OFFSET.N.LINE`.
[[nodiscard]] std::string to_string(const EventPlace& place);

/// Nothing if the text is no place.
[[nodiscard]] std::optional<EventPlace> parse_event_place(std::string_view text);

class EventLog {
 public:
  explicit EventLog(std::string path) : path_(std::move(path)) {}

  /// The events after `place`, at most about 256 KB, as text/event-stream (HTML Standard, 9.2):
  /// `id`, `event` and `data`, the line itself. Moves `place` after them; empty if there are none
  /// yet. The summary of a run that others resume is no event. Error kUnreadable.
  [[nodiscard]] Result<std::string> text_behind(EventPlace& place) const;

  /// A place that only the last events follow, about `bytes` of them. Error kUnreadable.
  [[nodiscard]] Result<EventPlace> place_before_end(std::uint64_t bytes) const;

  /// The last line about the state of the check: progress, or a summary. Empty if there is none.
  /// Error kUnreadable.
  [[nodiscard]] Result<std::string> last_account() const;

  /// Cuts off an unfinished line, which a kill leaves. Error kUnreadable.
  [[nodiscard]] Status drop_unfinished() const;

 private:
  std::string path_;
};

}  // namespace elapid::http
