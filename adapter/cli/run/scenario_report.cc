#include "adapter/cli/run/scenario_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>

#include "harness/scenario/performance_history.h"

namespace elapid {
namespace {

/// The step whose request returned last before this one did: it let it go on.
std::string until_text(const Scenario& scenario, const Performance& performance,
                       const StepFate& fate) {
  std::size_t best = scenario.steps.size();
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const StepFate& other = performance.steps[i];
    const bool is_before = other.kind != StepFate::Kind::kNotReached && &other != &fate &&
                           other.returned < fate.returned && other.returned > fate.began;
    if (is_before &&
        (best == scenario.steps.size() || performance.steps[best].returned < other.returned)) {
      best = i;
    }
  }
  return best == scenario.steps.size() ? "waits" : fmt::format("waits for step {}", best + 1);
}

std::string fate_text(const Scenario& scenario, const Performance& performance,
                      const StepFate& fate) {
  if (fate.kind == StepFate::Kind::kNotReached) {
    return "not done";
  }
  std::string text = fate.waited ? until_text(scenario, performance, fate) : "";
  if (fate.kind == StepFate::Kind::kFailed) {
    text += fmt::format("{}fails: {} ({})", text.empty() ? "" : ", ", name(fate.answer.error),
                        fate.answer.message);
  }
  return text;
}

/// Columns that a terminal shows: bytes that do not continue a character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

/// How the database kept its word: sessions waited, and why transactions failed.
std::string defence_text(std::span<const Played> orders) {
  std::set<std::string> words;
  for (const Played& played : orders) {
    for (const StepFate& fate : played.performance.steps) {
      if (fate.waited) {
        words.insert("waits");
      }
      if (fate.kind == StepFate::Kind::kFailed) {
        words.insert(std::string(name(fate.answer.error)));
      }
    }
  }
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? " (" : ", ") + word;
  }
  return text.empty() ? "" : text + ")";
}

}  // namespace

std::string database_text(const DriverInfo& driver, const std::vector<DatabaseFact>& facts) {
  const auto fact = [&](std::string_view name) {
    const auto found = std::ranges::find(facts, name, &DatabaseFact::name);
    return found == facts.end() ? std::string() : found->value;
  };
  const std::string database = fact("database");
  std::string version = fact("version");
  version = version.substr(0, version.find(" ("));  // what follows is how it was built
  if (version.find(' ') != std::string::npos) {
    return version;  // which names the database
  }
  return (database.empty() ? std::string(driver.name) : database) + ' ' + version;
}

std::string steps_text(const Scenario& scenario, const Performance& performance) {
  std::vector<std::string> done;
  std::size_t session_width = 0;
  std::size_t width = 0;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const ScenarioStep& step = scenario.steps[i];
    const StepFate& fate = performance.steps[i];
    const bool has_answer =
        step.kind == StepRequest::Kind::kOperation && fate.kind == StepFate::Kind::kDone;
    done.push_back(has_answer ? done_text(scenario, scenario.ops()[step.op], fate.answer)
                              : step.text);
    session_width = std::max(session_width, scenario.sessions[step.session].size());
    width = std::max(width, width_of(done.back()));
  }
  std::string text;
  for (std::size_t i = 0; i < scenario.steps.size(); ++i) {
    const ScenarioStep& step = scenario.steps[i];
    const std::string fate = fate_text(scenario, performance, performance.steps[i]);
    text += fmt::format("{:>4}  {}  {}\n", i + 1,
                        padded(scenario.sessions[step.session], session_width),
                        fate.empty() ? done[i] : padded(done[i], width) + "  " + fate);
  }
  return text;
}

std::string cell_text(std::span<const Played> orders) {
  std::vector<std::string> names;
  std::size_t violated = 0;
  std::size_t unknown = 0;
  for (const Played& played : orders) {
    violated += played.judgement.serializable == Validity::kInvalid ? 1 : 0;
    unknown += played.judgement.serializable == Validity::kUnknown ? 1 : 0;
    for (const AnomalyType type : played.judgement.anomalies) {
      const std::string shown(type == AnomalyType::kPl3CycleExists ? "not serializable"
                                                                   : name(type));
      if (std::ranges::find(names, shown) == names.end()) {
        names.push_back(shown);
      }
    }
  }
  if (violated > 0) {
    return fmt::format("{}{}", fmt::join(names, ", "),
                       orders.size() > 1 ? fmt::format(" {}/{}", violated, orders.size()) : "");
  }
  return (unknown > 0 ? "unknown" : "–") + defence_text(orders);
}

std::string table_text(const std::vector<std::string>& levels,
                       const std::vector<ScenarioRow>& rows) {
  std::vector<ScenarioRow> all = {{"scenario", levels}};
  all.insert(all.end(), rows.begin(), rows.end());
  std::vector<std::size_t> widths(levels.size() + 1);
  for (const ScenarioRow& row : all) {
    widths[0] = std::max(widths[0], width_of(row.name));
    for (std::size_t i = 0; i < levels.size(); ++i) {
      widths[i + 1] = std::max(widths[i + 1], width_of(row.cells[i]));
    }
  }
  std::string text;
  for (const ScenarioRow& row : all) {
    text += "| " + padded(row.name, widths[0]) + " |";
    for (std::size_t i = 0; i < levels.size(); ++i) {
      text += ' ' + padded(row.cells[i], widths[i + 1]) + " |";
    }
    text += '\n';
    for (std::size_t i = 0; &row == &all.front() && i < widths.size(); ++i) {
      text += (i == 0 ? "|" : "") + std::string(widths[i] + 2, '-') + '|' +
              (i + 1 == widths.size() ? "\n" : "");
    }
  }
  return text;
}

}  // namespace elapid
