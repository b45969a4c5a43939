#include "adapter/report/clock_offsets.h"

#include <charconv>
#include <cstddef>
#include <string_view>

#include "engine/ir/call.h"

namespace elapid {

namespace {

/// `{"n1" -0.5, "n2" 12.1}`
void add_offsets(const FaultMoment& moment, std::string_view map, std::vector<ClockOffset>& all) {
  const auto entries = map.starts_with('{') ? elements_of(map) : std::nullopt;
  for (std::size_t i = 0; entries && i + 1 < entries->size(); i += 2) {
    const std::string_view text = (*entries)[i + 1];
    double seconds = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), seconds).ec == std::errc()) {
      all.push_back({moment, std::string((*entries)[i]), seconds});
    }
  }
}

}  // namespace

Result<std::vector<ClockOffset>> clock_offsets_of(LoadedHistory& loaded) {
  std::vector<ClockOffset> all;
  const auto& nemesis = loaded.history().info().nemesis;
  for (std::size_t i = 0; nemesis && i < nemesis->events.size(); ++i) {
    const NemesisEvent& event = nemesis->events[i];
    ELAPID_ASSIGN_OR_RETURN(const EventDetails details, loaded.details({0, event.offset}));
    for (const auto& [key, value] : details.extras) {
      if (key == ":clock-offsets") {
        add_offsets({event.time, event.offset}, value, all);
      }
    }
  }
  return all;
}

}  // namespace elapid
