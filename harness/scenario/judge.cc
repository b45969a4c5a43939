#include "harness/scenario/judge.h"

#include <algorithm>

#include "parsers/bytes/byte_source.h"
#include "parsers/door/door.h"
#include "parsers/formats.h"

namespace elapid {
namespace {

/// `PL-3-cycle-exists` and the like say no more than that the level is violated.
bool is_nameless(AnomalyType type) {
  return name(type).ends_with("-cycle-exists");
}

std::vector<AnomalyType> distinct_types(const Verdict& verdict) {
  std::vector<AnomalyType> types;
  for (const Anomaly& anomaly : verdict.anomalies) {
    if (std::ranges::find(types, anomaly.type) == types.end()) {
      types.push_back(anomaly.type);
    }
  }
  if (!std::ranges::all_of(types, is_nameless)) {
    std::erase_if(types, is_nameless);
  }
  return types;
}

}  // namespace

Result<Judgement> judge(const Scenario& scenario, const std::string& history, ModelSet levels) {
  ReadOptions read;
  read.format = find_format("edn");
  read.workload = scenario.script.workload();
  const Result<LoadedHistory> loaded = read_history(memory_source(scenario.name, history), read);
  if (!loaded) {
    return Error{.kind = ErrorKind::kInternal,
                 .message = "the history of " + scenario.name +
                            " cannot be read: " + loaded.error().to_string()};
  }
  ELAPID_ASSIGN_OR_RETURN(const Verdict verdict,
                          check_loaded(loaded.value(), {.models = {Model::kPl3}}));
  Judgement judgement = {.serializable = verdict.validity,
                         .anomalies = distinct_types(verdict),
                         .unknown_because = verdict.unknown_because.value_or("")};
  for (std::size_t m = 0; m < kModelCount; ++m) {
    const auto model = static_cast<Model>(m);
    if (levels.test(model)) {
      const Result<Verdict> asked = check_loaded(loaded.value(), {.models = {model}});
      if (asked) {
        judgement.levels[model] = asked.value().validity;
      }
    }
  }
  return judgement;
}

}  // namespace elapid
