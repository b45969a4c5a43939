// What `elapid watch` has told of a stream, line by line, for any number of listeners.
//
// The file grows, so a listener needs no more than the place that it has come to, and goes on there
// after a broken connection, and after a restart of the server, too. A watch that goes on where
// another one was tells again of lines that it does not understand, and after a kill of its last
// numbered events: what was told before is passed over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid::http {

/// Up to where a listener has heard everything: the id of an event.
struct EventPlace {
  std::uint64_t offset = 0;    ///< bytes of the file
  std::uint64_t numbered = 0;  ///< the greatest `n` of the events before
  std::uint64_t line = 0;      ///< the greatest `line` of the errors before

  friend bool operator==(const EventPlace&, const EventPlace&) = default;
};

/// `OFFSET.N.LINE`.
[[nodiscard]] std::string to_string(const EventPlace& place);

/// Nothing if it is none.
[[nodiscard]] std::optional<EventPlace> parse_event_place(std::string_view text);

class EventLog {
 public:
  explicit EventLog(std::string path) : path_(std::move(path)) {}

  /// The events behind `place`, about 256 KB of them at most, as text/event-stream (HTML Standard,
  /// 9.2): `id`, `event` and `data`, the line itself. Moves `place` behind them; empty if there
  /// are none yet. The summary of a run that others go on from is no event. Error kUnreadable.
  [[nodiscard]] Result<std::string> text_behind(EventPlace& place) const;

  /// A place that only the last events follow, about so many bytes of them. Error kUnreadable.
  [[nodiscard]] Result<EventPlace> place_before_end(std::uint64_t bytes) const;

  /// The line that said last how far the check is: progress, or a summary. Empty if there is none.
  /// Error kUnreadable.
  [[nodiscard]] Result<std::string> last_account() const;

  /// Cuts off a line that a kill has left unfinished. Error kUnreadable.
  [[nodiscard]] Status drop_unfinished() const;

 private:
  std::string path_;
};

}  // namespace elapid::http
