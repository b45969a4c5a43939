// Actions on the database while clients used it: the events of Jepsen's nemesis.
//
// A test records faults beside its clients' operations, as processes with names instead of numbers.
// They order nothing, and no engine uses them. Reports show them, so that a reader sees whether a
// fault acted when an anomaly arose:
//
//   {:type :info, :process :nemesis, :f :kill, :value #{"n1"}, :time 12000000000}
//
// is a NemesisEvent of process `nemesis` with f `kill` and value `#{"n1"}`. By Jepsen's custom a
// fault has two such events, one when it begins to act and one when it has acted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace elapid {

/// An event of a process with a name. Names have no colon.
struct NemesisEvent {
  std::optional<std::int64_t> time = {};  ///< ns, as in the source
  std::uint64_t offset = 0;               ///< in the input, as SourcePosition::offset
  std::string process = {};               ///< `nemesis`
  std::string f = {};                     ///< `kill`; empty if the source has none
  std::string value = {};                 ///< printed EDN, shortened; empty for nil
};

/// All events of named processes, in the order of the input.
struct NemesisLog {
  /// Later events are only counted, and longer texts are cut. So a nemesis takes a few MB at
  /// most.
  static constexpr std::size_t kMaxEvents = 10000;
  static constexpr std::size_t kMaxText = 160;

  std::vector<NemesisEvent> events = {};  ///< the first kMaxEvents
  std::uint64_t count = 0;                ///< all events, counted

  /// Keeps the event if there is room.
  void add(NemesisEvent event);
};

/// At most NemesisLog::kMaxText bytes of a text in UTF-8; `…` replaces the rest.
[[nodiscard]] std::string shortened_nemesis_text(std::string_view text);

}  // namespace elapid
