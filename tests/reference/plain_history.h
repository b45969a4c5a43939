// Events of a history as a test makes them, with typed values, for references that judge them
// without the code under test.
//
//   {.type = "ok", .process = 0, .f = "read", .list = {{1, 2}}}
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/generate/random.h"

namespace elapid::reference {

struct PlainMop {
  bool is_write = false;
  int key = 0;
  std::optional<int> value = {};
};

/// An invocation or a completion; the members that its workload has no use for stay empty.
struct PlainEvent {
  std::string type = "invoke";
  int process = 0;
  std::string f = {};
  std::optional<int> scalar = {};
  std::optional<int> key = {};
  std::optional<std::vector<std::optional<int>>> list = {};
  std::optional<std::vector<PlainMop>> txn = {};
  std::optional<std::map<int, int>> map = {};
  std::optional<int> link = {};
  std::optional<int> position = {};
  std::vector<std::optional<int>> row = {};

  [[nodiscard]] bool is(const std::string& its_type, const std::string& its_f) const {
    return type == its_type && f == its_f;
  }
};

using PlainHistory = std::vector<PlainEvent>;

/// The requests of clients and their answers. An `answer` of a type other than `ok` changes only
/// the type.
struct PlainClients {
  std::size_t steps = 30;
  std::size_t processes = 3;
  std::function<PlainEvent()> ask = {};
  std::function<void(PlainEvent&)> answer = {};
};

/// Processes take turns at random. Some operations fail. Some are indeterminate; then the process
/// gets a new number. Operations that are open at the end have crashed.
inline PlainHistory simulate(Random& random, const PlainClients& clients) {
  PlainHistory history;
  std::vector<int> number;
  std::vector<std::optional<PlainEvent>> open(clients.processes);
  for (std::size_t p = 0; p < clients.processes; ++p) {
    number.push_back(static_cast<int>(p));
  }
  for (std::size_t step = 0; step < clients.steps; ++step) {
    const std::size_t p = random.below(clients.processes);
    if (!open[p]) {
      open[p] = clients.ask();
      open[p]->process = number[p];
      history.push_back(*open[p]);
      continue;
    }
    PlainEvent event = *open[p];
    open[p].reset();
    const std::size_t dice = random.below(100);
    event.type = dice < 76 ? "ok" : dice < 88 ? "fail" : "info";
    if (event.type == "ok") {
      clients.answer(event);
    } else if (event.type == "info") {
      number[p] += static_cast<int>(clients.processes);
    }
    history.push_back(event);
  }
  return history;
}

/// Events as lines of EDN; `value` prints the value of one.
inline std::string edn_of(const PlainHistory& history,
                          const std::function<std::string(const PlainEvent&)>& value) {
  std::string text;
  for (std::size_t i = 0; i < history.size(); ++i) {
    const PlainEvent& event = history[i];
    text += "{:index " + std::to_string(i) + ", :type :" + event.type + ", :process " +
            std::to_string(event.process) + ", :f :" + event.f + ", :value " + value(event);
    text += event.link ? ", :link " +
                             (*event.link < 0 ? std::string(":init") : std::to_string(*event.link))
                       : "";
    text += event.position ? ", :position " + std::to_string(*event.position) : "";
    text += "}\n";
  }
  return text;
}

/// The place of each invocation's completion, and the other way round; nothing where there is none.
inline std::vector<std::optional<std::size_t>> partners(const PlainHistory& history) {
  std::vector<std::optional<std::size_t>> partner(history.size());
  std::map<int, std::size_t> open;
  for (std::size_t i = 0; i < history.size(); ++i) {
    if (history[i].type == "invoke") {
      open[history[i].process] = i;
    } else if (const auto found = open.find(history[i].process); found != open.end()) {
      partner[i] = found->second;
      partner[found->second] = i;
      open.erase(found);
    }
  }
  return partner;
}

/// What became of the operation invoked at place `i`: `ok`, `fail` or `info`.
inline std::string fate(const PlainHistory& history,
                        const std::vector<std::optional<std::size_t>>& partner, std::size_t i) {
  return partner[i] ? history[*partner[i]].type : "info";
}

/// What a judge answers: validity, and entries of the result as text.
struct PlainAnswer {
  std::string validity = "valid";
  std::map<std::string, std::string> entries = {};
};

}  // namespace elapid::reference
