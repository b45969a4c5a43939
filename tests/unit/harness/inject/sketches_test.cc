// Each sketch alone: it shows its anomaly and no other one.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"
#include "engine/verdict/timestamp_names.h"
#include "harness/inject/anomaly_sketches.h"
#include "harness/inject/injectable.h"

namespace elapid {
namespace {

const std::vector<Workload>& both_workloads() {
  static const std::vector<Workload> both = {Workload::kListAppend, Workload::kRwRegister};
  return both;
}

std::string names(const AnomalySet& types) {
  std::string text;
  for (const AnomalyType type : types) {
    text += std::string(name(type)) + ' ';
  }
  return text;
}

std::vector<Injectable> all_anomalies(Workload workload) {
  std::vector<Injectable> all;
  for (const AnomalySketch& sketch : anomaly_sketches()) {
    if (!(workload.has_lists() ? sketch.lists : sketch.registers).empty()) {
      all.push_back(parse_injections(name(sketch.type), workload).value().front());
    }
  }
  return all;
}

TEST_CASE("sketches of anomalies: strict serializability finds what they are for") {
  for (const Workload workload : both_workloads()) {
    for (const Injectable& anomaly : all_anomalies(workload)) {
      INFO(workload.name() << " " << anomaly.name);
      const Result<Verdict> verdict = check(build(anomaly.history), {.models = {Model::kPlSs}});
      REQUIRE(verdict.ok());
      CHECK(names(types_of(verdict.value().anomalies)) == names(anomaly.types));
    }
  }
}

/// Whether the level, or one that it entails, is defined by an order of events alone: then it
/// forbids more than the anomalies that Elle's tables list.
bool has_axioms(Model model) {
  return std::ranges::any_of(entailed(model), [](Model weaker) {
    const std::optional<OrderLevel> level = order_level(weaker);
    return level && level->visibility >= Visibility::kPrefix &&
           level->visibility != Visibility::kNothing;
  });
}

TEST_CASE("sketches of anomalies: a level forbids them that proscribes one, or by its axioms") {
  for (const Workload workload : both_workloads()) {
    for (const Injectable& anomaly : all_anomalies(workload)) {
      const Verdict verdict =
          check(build(anomaly.history), {.models = ModelSet::all(), .each_model = true}).value();
      for (const Standing& rung : verdict.ladder) {
        INFO(workload.name() << " " << anomaly.name << " at " << friendly_name(rung.model));
        if ((prohibited(entailed(rung.model), {}) & anomaly.types).any()) {
          CHECK(rung.validity == Validity::kInvalid);
        } else if (!has_axioms(rung.model)) {
          CHECK(rung.validity != Validity::kInvalid);
        }
      }
    }
  }
}

// What no sketch is for: names for cycles whose class was not found or does not matter, names that
// no engine uses of histories of items, and one that needs assumptions about keys.
const std::set<std::string_view>& names_without_sketch() {
  static const std::set<std::string_view> none = {"G-MSR",
                                                  "G-SI",
                                                  "G-SIb",
                                                  "G-cursor",
                                                  "G-monotonic",
                                                  "G-update",
                                                  "G1",
                                                  "GSI",
                                                  "GSIa",
                                                  "GSIb",
                                                  "G1-process",
                                                  "G1-realtime",
                                                  "cyclic-versions",
                                                  "cycle-search-timeout",
                                                  "empty-transaction-graph",
                                                  "mixed-levels",
                                                  "predicate-read-miss",
                                                  "write-skew"};
  return none;
}

TEST_CASE("sketches of anomalies: there is one of every type that is found for its own sake") {
  const auto types_with_sketch = [] {
    std::set<std::string> types;
    for (const AnomalySketch& sketch : anomaly_sketches()) {
      types.emplace(name(sketch.type));
    }
    return types;
  }();
  for (std::size_t n = 0; n < kAnomalyTypeCount; ++n) {
    const std::string type(name(static_cast<AnomalyType>(n)));
    const bool is_exempt = names_without_sketch().contains(type) || type.ends_with("cycle-exists");
    INFO(type);
    CHECK((!parse_injections(type, Workload::kListAppend).ok()) == is_exempt);
    CHECK((is_exempt && types_with_sketch.contains(type)) == false);
  }
}

TEST_CASE("sketches of timestamps: their axiom is violated, and clients find nothing") {
  for (const Workload workload : both_workloads()) {
    for (const TimestampSketch& sketch : timestamp_sketches()) {
      INFO(workload.name() << " " << name(sketch.axiom));
      const Injectable injectable = parse_injections(name(sketch.axiom), workload).value().front();
      CHECK(injectable.types.none());
      const Verdict verdict = check(build(injectable.history), {.models = {Model::kPlSs}}).value();
      // A read that contradicts its own transaction is one whatever timestamps say.
      CHECK(verdict.anomalies.empty() == (sketch.axiom != TimestampAxiom::kInt));
    }
  }
}

}  // namespace
}  // namespace elapid
