#include "adapter/report/faults.h"
#include "engine/ir/call.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

namespace elapid {
namespace {

/// An act of the nemesis, with its end if a second event records it.
struct Act {
  std::string process = {};
  ReportFault fault = {};
};

/// Two consecutive events of a process with the same f are one act.
std::vector<Act> acts_of(const NemesisLog& nemesis) {
  std::vector<Act> acts;
  std::map<std::string_view, std::size_t> open;  // by process, in acts
  for (const NemesisEvent& event : nemesis.events) {
    const FaultMoment moment = {.time = event.time, .offset = event.offset};
    const auto begun = open.find(event.process);
    if (begun != open.end() && acts[begun->second].fault.f == event.f) {
      acts[begun->second].fault.end = moment;
      open.erase(begun);
      continue;
    }
    open.insert_or_assign(event.process, acts.size());
    acts.push_back(
        {.process = event.process, .fault = {.f = event.f, .value = event.value, .begin = moment}});
  }
  return acts;
}

struct Pair {
  std::string_view begin;
  std::string_view end;
};

constexpr std::array kPairs = {
    Pair{"kill", "restart"},           Pair{"kill", "recover"},
    Pair{"crash", "restart"},          Pair{"pause", "resume"},
    Pair{"partition", "heal"},         Pair{"partition", "recover"},
    Pair{"isolate", "heal"},           Pair{"slow", "fast"},
    Pair{"bump-clock", "reset-clock"}, Pair{"strobe-clock", "reset-clock"}};

/// Which acts begin faults and which acts end them, in one history.
class Customs {
 public:
  explicit Customs(const std::vector<Act>& acts)
      : kills_(std::ranges::any_of(acts, [](const Act& act) { return act.fault.f == "kill"; })) {}

  [[nodiscard]] bool begins(std::string_view f) const {
    return f.starts_with("start-") || (f == "start" && !kills_) ||
           std::ranges::any_of(kPairs, [&](const Pair& pair) { return pair.begin == f; });
  }

  /// Whether act `f` ends a fault that act `begun` began.
  [[nodiscard]] bool ends(std::string_view f, std::string_view begun) const {
    if (begun.starts_with("start-") && f.starts_with("stop-")) {
      return begun.substr(6) == f.substr(5);
    }
    if (f == "stop") {
      return begun == "start";
    }
    if (f == "start") {
      return kills_ && begun == "kill";
    }
    return std::ranges::any_of(
        kPairs, [&](const Pair& pair) { return pair.begin == begun && pair.end == f; });
  }

 private:
  bool kills_;
};

}  // namespace

std::vector<ReportFault> faults_of(const NemesisLog& nemesis) {
  const std::vector<Act> acts = acts_of(nemesis);
  const Customs customs(acts);
  std::vector<ReportFault> faults;
  std::vector<std::pair<std::string, std::size_t>> open;  // process, place in faults
  for (const Act& act : acts) {
    const auto is_ended = [&](const std::pair<std::string, std::size_t>& one) {
      return one.first == act.process && customs.ends(act.fault.f, faults[one.second].f);
    };
    const FaultMoment done = act.fault.end.value_or(act.fault.begin);
    bool ends_some = false;
    for (const auto& one : open) {
      if (is_ended(one)) {
        faults[one.second].end = done;
        ends_some = true;
      }
    }
    std::erase_if(open, is_ended);
    if (ends_some) {
      continue;
    }
    faults.push_back(act.fault);
    if (customs.begins(act.fault.f)) {
      faults.back().lasts = true;
      faults.back().end.reset();
      open.emplace_back(act.process, faults.size() - 1);
    }
  }
  return faults;
}

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
