#include "adapter/cli/commands/run/scenario_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string_view>

#include "harness/scenario/performance_history.h"

namespace elapid {
namespace {

/// The step that this one waited for: the last one to return before it.
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
  return best == scenario.steps.size() ? "waits" : "waits for " + scenario.step_text(best);
}

std::string fate_text(const Scenario& scenario, const Performance& performance,
                      const StepFate& fate) {
  if (fate.kind == StepFate::Kind::kNotReached) {
    return "not done";
  }
  std::string text = fate.waited ? until_text(scenario, performance, fate) : "";
  if (fate.kind == StepFate::Kind::kFailed) {
    text += fmt::format("{}fails: {} ({})", text.empty() ? "" : ", ", name(fate.error()),
                        fate.answers.back().message);
  }
  return text;
}

/// Columns in a terminal: bytes that do not continue a UTF-8 character.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + std::string(width - std::min(width, width_of(text)), ' ');
}

/// How the database kept the level: sessions waited, and transactions failed with these errors.
std::string defence_text(std::span<const Played> orders) {
  std::set<std::string> words;
  for (const Played& played : orders) {
    for (const StepFate& fate : played.performance.steps) {
      if (fate.waited) {
        words.insert("waits");
      }
      if (fate.kind == StepFate::Kind::kFailed) {
        words.insert(std::string(name(fate.error())));
      }
    }
  }
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? " (" : ", ") + word;
  }
  return text.empty() ? "" : text + ")";
}

/// The operations of a step with their results, as `[:r :x [1]]`; of a step that was not done, its
/// text.
std::string step_done_text(const Scenario& scenario, const ScenarioStep& step,
                           const StepFate& fate) {
  if (step.op_count == 0 || fate.kind != StepFate::Kind::kDone) {
    return step.text;
  }
  std::string text;
  for (std::size_t n = 0; n < step.op_count; ++n) {
    text += (n == 0 ? "" : " ") + done_text(scenario, scenario.ops_of(step)[n], fate.answers[n]);
  }
  return text;
}

/// The names of the anomalies found, or `unknown`; empty if all orders are valid.
std::string found_text(std::span<const Played> orders) {
  std::vector<std::string> names;
  bool is_unknown = false;
  for (const Played& played : orders) {
    is_unknown = is_unknown || played.judgement.serializable == Validity::kUnknown;
    for (const AnomalyType type : played.judgement.anomalies) {
      const std::string shown(type == AnomalyType::kPl3CycleExists ? "not serializable"
                                                                   : name(type));
      if (std::ranges::find(names, shown) == names.end()) {
        names.push_back(shown);
      }
    }
  }
  return names.empty() && is_unknown ? "unknown" : fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string database_text(const DriverInfo& driver, const std::vector<DatabaseFact>& facts) {
  const auto fact = [&](std::string_view name) {
    const auto found = std::ranges::find(facts, name, &DatabaseFact::name);
    return found == facts.end() ? std::string() : found->value;
  };
  const std::string database = fact("database");
  std::string version = fact("version");
  version = version.substr(0, version.find(" ("));  // cuts the description of the build
  if (version.find(' ') != std::string::npos) {
    return version;  // it contains the database's name
  }
  return (database.empty() ? std::string(driver.name) : database) + ' ' + version;
}

std::string steps_text(const Scenario& scenario, const Performance& performance) {
  // The session, the step's number or name, the operation, and its outcome.
  std::vector<std::array<std::string, 4>> lines;
  std::array<std::size_t, 3> widths = {4, 0, 0};
  for (const std::size_t i : performance.order) {
    const ScenarioStep& step = scenario.steps[i];
    const std::string number = fmt::format("{:>4}", i + 1);
    lines.push_back({step.name.empty() ? number : "   " + step.name,
                     scenario.sessions[step.session],
                     step_done_text(scenario, step, performance.steps[i]),
                     fate_text(scenario, performance, performance.steps[i])});
    for (std::size_t column = 0; column < widths.size(); ++column) {
      widths[column] = std::max(widths[column], width_of(lines.back()[column]));
    }
  }
  std::string text;
  for (const auto& [number, session, done, fate] : lines) {
    text += fmt::format("{}  {}  {}\n", padded(number, widths[0]), padded(session, widths[1]),
                        fate.empty() ? done : padded(done, widths[2]) + "  " + fate);
  }
  return text;
}

std::string orders_text(const Scenario& scenario, std::span<const Played> orders) {
  std::string text;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    std::string names;
    std::string fates;
    for (const std::size_t step : orders[i].performance.order) {
      const ScenarioStep& done = scenario.steps[step];
      const StepFate& fate = orders[i].performance.steps[step];
      names += (names.empty() ? "" : " ") +
               (done.name.empty() ? scenario.sessions[done.session] : done.name);
      if (fate.kind == StepFate::Kind::kFailed) {
        fates += fmt::format("{}{} fails: {}", fates.empty() ? "" : ", ", scenario.step_text(step),
                             name(fate.error()));
      }
    }
    const std::string found = found_text(orders.subspan(i, 1));
    text += fmt::format("{:>4}  {}  {}{}\n", i + 1, names, found.empty() ? "–" : found,
                        fates.empty() ? "" : " (" + fates + ")");
  }
  return text;
}

std::string cell_text(std::span<const Played> orders) {
  const auto violated = std::ranges::count(orders, Validity::kInvalid, [](const Played& played) {
    return played.judgement.serializable;
  });
  const std::string found = found_text(orders);
  if (violated > 0) {
    return found +
           (orders.size() > 1 ? fmt::format(" {}/{}", violated, orders.size()) : std::string());
  }
  return (found.empty() ? "–" : found) + defence_text(orders);
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
