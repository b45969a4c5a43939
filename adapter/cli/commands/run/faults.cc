#include "adapter/cli/commands/run/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/ir/mapped.h"

namespace elapid {
namespace {

constexpr std::array<std::string_view, 3> kFaultNames = {"kill", "pause", "restart"};

FaultKind fault_of(std::string_view name, PrivateServer& server) {
  const auto start = [&server] { return server.restart(); };
  if (name == "kill") {
    const auto kill = [&server] {
      server.kill();
      return Status();
    };
    return {"kill", "killed", kill, "start", "started", start};
  }
  if (name == "pause") {
    const auto pause = [&server] {
      server.pause();
      return Status();
    };
    const auto resume = [&server] {
      server.resume();
      return Status();
    };
    return {"pause", "paused", pause, "resume", "resumed", resume};
  }
  const auto restart = [&server] {
    server.shut_down();
    return server.restart();
  };
  return {.name = "restart", .done = "restarted", .hurt = restart};
}

}  // namespace

Result<std::vector<std::string>> parse_faults(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    if (std::ranges::find(kFaultNames, name) == kFaultNames.end()) {
      return usage_error("there is no fault " + name + ": expected kill, pause or restart");
    }
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
    begin = end + 1;
  }
  return names;
}

std::vector<FaultKind> faults_of(const std::vector<std::string>& names, PrivateServer& server) {
  return mapped<FaultKind>(names, [&](const std::string& name) { return fault_of(name, server); });
}

std::string faults_text(const FaultInjector& nemesis) {
  std::string text;
  for (std::size_t i = 0; i < nemesis.faults().size(); ++i) {
    const std::uint64_t count = nemesis.counts()[i];
    text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, nemesis.faults()[i].name,
                        count == 1 ? "" : "s");
  }
  return text;
}

}  // namespace elapid
