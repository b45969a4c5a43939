#include "adapter/http/checks/answer_of.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/ir/integer_text.h"
#include "engine/ir/visible.h"
#include "parsers/json/json_of_edn.h"
#include "parsers/json/piece.h"

namespace elapid::http {
namespace {

/// The exit codes of `elapid check` (docs/command-line.md).
constexpr int kExitValid = 0;
constexpr int kExitInvalid = 1;
constexpr int kExitUnknown = 2;
constexpr int kExitUsage = 64;
constexpr int kExitMalformed = 65;

constexpr std::size_t kLongestError = 1000;

/// The verdict on a level, ordered so that the greatest is the worst.
enum class Standing : std::uint8_t { kValid, kUnknown, kInvalid };

using Standings = std::map<std::string, Standing>;

/// The findings of several result maps together.
struct Findings {
  Standings standings = {};
  std::map<std::string, std::size_t> answers = {};  ///< by level: the maps with a verdict on it
  std::size_t maps = 0;
  std::set<std::string> anomalies = {};
  std::int64_t transactions = 0;
};

Standing standing_of(json::Value valid) {
  return valid.kind() == json::Kind::kTrue    ? Standing::kValid
         : valid.kind() == json::Kind::kFalse ? Standing::kInvalid
                                              : Standing::kUnknown;
}

void note(Standings& standings, std::string_view level, Standing standing) {
  const auto [place, is_new] = standings.try_emplace(std::string(level), standing);
  place->second = std::max(place->second, standing);
}

std::set<std::string> names_under(json::Value map, std::string_view key) {
  std::set<std::string> names;
  if (const auto list = json::find(map, key); list && list->is_array()) {
    for (json::Value name = list->begin(); name != list->end(); name = name.next()) {
      names.emplace(name.text());
    }
  }
  return names;
}

std::int64_t transactions_of(json::Value map) {
  const auto counts = json::find(map, "elapid/counts");
  const auto count =
      counts && counts->is_object() ? json::find(*counts, "transactions") : std::nullopt;
  return count ? integer_of(count->text()).value_or(0) : 0;
}

/// Notes the verdict of each level in a ladder. Other maps have one verdict for all levels, and
/// list the models that the evidence rules out. If each transaction asked for its own level, the
/// verdict is about none of them.
void note_levels(Standings& standings, json::Value map) {
  if (const auto ladder = json::find(map, "elapid/ladder"); ladder && ladder->is_array()) {
    for (json::Value rung = ladder->begin(); rung != ladder->end(); rung = rung.next()) {
      const auto level = rung.is_object() ? json::find(rung, "level") : std::nullopt;
      const auto valid = level ? json::find(rung, "valid?") : std::nullopt;
      if (valid) {
        note(standings, level->text(), standing_of(*valid));
      }
    }
    return;
  }
  const auto valid = json::find(map, "valid?");
  const Standing whole = valid ? standing_of(*valid) : Standing::kUnknown;
  const bool is_mix = json::find(map, "elapid/by-transaction").has_value();
  std::set<std::string> ruled_out = names_under(map, "not");
  ruled_out.merge(names_under(map, "also-not"));
  for (const std::string& level : names_under(map, "elapid/models")) {
    const bool is_violated = ruled_out.contains(level);
    if (is_violated || !is_mix) {
      note(standings, level,
           is_violated                 ? Standing::kInvalid
           : whole == Standing::kValid ? Standing::kValid
                                       : Standing::kUnknown);
    }
  }
}

void note_map(Findings& findings, json::Value map) {
  Standings standings;
  note_levels(standings, map);
  for (const auto& [level, standing] : standings) {
    note(findings.standings, level, standing);
    ++findings.answers[level];
  }
  ++findings.maps;
  findings.anomalies.merge(names_under(map, "anomaly-types"));
  findings.anomalies.merge(names_under(map, "elapid/findings"));
  findings.transactions += transactions_of(map);
}

/// A level that was not asked of some map holds of the others only.
void drop_partly_valid(Findings& findings) {
  std::erase_if(findings.standings, [&](const auto& entry) {
    const auto& [level, standing] = entry;
    return standing == Standing::kValid && findings.answers[level] < findings.maps;
  });
}

/// The first line without the name of the program.
std::string first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  constexpr std::string_view kProgram = "elapid: ";
  text.remove_prefix(text.starts_with(kProgram) ? kProgram.size() : 0);
  return visible_line(text.substr(0, kLongestError));
}

}  // namespace

void read_result(std::string_view result, Outcome& outcome) {
  std::string text;
  append_json_of_edn(result, text);
  json::Document document;
  if (!json::parse_piece(text, 0, document)) {
    return;
  }
  Findings findings;
  const json::Value root = document.root();
  if (root.is_object()) {
    note_map(findings, root);
  } else if (root.is_array()) {
    for (json::Value part = root.begin(); part != root.end(); part = part.next()) {
      const auto map = part.is_object() ? json::find(part, "result") : std::nullopt;
      if (map && map->is_object()) {
        note_map(findings, *map);
      }
    }
  }
  drop_partly_valid(findings);
  for (const auto& [level, standing] : findings.standings) {
    outcome.levels += (outcome.levels.empty() ? "," : "") + level + ':' +
                      (standing == Standing::kValid     ? "valid,"
                       : standing == Standing::kInvalid ? "invalid,"
                                                        : "unknown,");
  }
  for (const std::string& anomaly : findings.anomalies) {
    outcome.anomalies += (outcome.anomalies.empty() ? "" : ",") + anomaly;
  }
  outcome.transactions = findings.transactions;
}

Outcome outcome_of(const CheckRun& run) {
  Outcome outcome;
  switch (run.exit_code.value_or(-1)) {
    case kExitValid:
      outcome.verdict = "valid";
      break;
    case kExitInvalid:
      outcome.verdict = "invalid";
      break;
    case kExitUnknown:
      outcome.verdict = "unknown";
      break;
    case kExitUsage:
    case kExitMalformed:
      return {.verdict = "malformed", .error = first_line(run.err)};
    default:
      return {.error = run.err.empty() ? "the check broke off" : first_line(run.err)};
  }
  read_result(run.out, outcome);
  return outcome;
}

}  // namespace elapid::http
