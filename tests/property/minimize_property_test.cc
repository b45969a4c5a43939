// Minimized random histories still show what they are kept for, and nothing more can be deleted.
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>

#include "harness/minimize/keeps.h"
#include "harness/minimize/minimize.h"
#include "tests/property/deletable_part.h"
#include "tests/property/for_all.h"
#include "tests/property/renaming.h"
#include "tests/support/dump.h"
#include "tests/support/history_line.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
constexpr std::array<Model, 6> kMinimizedLevels = {
    Model::kPl2, Model::kCausal, Model::kPlSi,
    Model::kPl3, Model::kPlSs,   Model::kStrongSessionSnapshotIsolation};

/// A history with a question, and the property to keep.
struct Case {
  History history;
  Keeps keeps;
  std::vector<TxnId> named = {};
};

/// The leading anomaly of the history at the level, or the violation as such. Nothing: it is valid.
std::optional<Case> case_of(const TinyHistory& tiny, Model model, bool keeps_level) {
  Case result = {.history = build(tiny), .keeps = {}};
  const CheckOptions options = {.models = {model}};
  const Result<Verdict> verdict = check(result.history, options);
  if (!verdict || verdict.value().validity != Validity::kInvalid) {
    return std::nullopt;
  }
  const std::vector<FoundAnomaly> found = anomalies_found(result.history, verdict.value());
  if (found.empty()) {
    return std::nullopt;
  }
  result.named = found.front().named;
  result.keeps = keeps_level ? keeps_violation(verdict.value(), options)
                             : keeps_anomaly(found.front().name, verdict.value(), options);
  return result;
}

std::string breaks_its_word(const TinyHistory& tiny, Model model, bool keeps_level) {
  const std::optional<Case> whole = case_of(tiny, model, keeps_level);
  if (!whole) {
    return {};
  }
  const auto minimized = [](const Case& of, std::size_t threads) {
    return minimize(of.history, of.keeps, {.threads = threads, .named = of.named});
  };
  const Result<Minimized> small = minimized(*whole, 1);
  if (!small) {
    return small.error().message;
  }
  const History& history = small.value().history;
  if (const Result<bool> kept = whole->keeps(history); !kept || !kept.value()) {
    return "not kept: " + history_line(history);
  }
  if (!small.value().is_one_minimal) {
    return "not minimal: " + small.value().why_not;
  }
  if (const std::string more = deletable_part(history, whole->keeps); !more.empty()) {
    return more + " could go from " + history_line(history);
  }
  const Result<Minimized> four = minimized(*whole, 4);
  if (!four || dump(four.value().history) != dump(history) ||
      four.value().tries != small.value().tries) {
    return "another answer with four threads";
  }
  const std::optional<Case> renamed = case_of(with_keys_renamed(tiny), model, keeps_level);
  const Result<Minimized> other =
      renamed ? minimized(*renamed, 1) : Result<Minimized>(Error{.message = "valid"});
  if (!other || other.value().history.txn_count() != history.txn_count() ||
      other.value().history.op_count() != history.op_count()) {
    return "another shape with other keys: " + history_line(history);
  }
  return {};
}

/// Asked at one level a history, which the history itself chooses.
std::string goes_wrong(const TinyHistory& tiny) {
  const std::size_t choice = std::hash<std::string>()(to_text(tiny));
  const Model model = kMinimizedLevels.at(choice % kMinimizedLevels.size());
  const bool keeps_level = choice / kMinimizedLevels.size() % 2 == 1;
  const std::string wrong = breaks_its_word(tiny, model, keeps_level);
  return wrong.empty() ? ""
                       : std::string(friendly_name(model)) +
                             (keeps_level ? ", violation: " : ", anomaly: ") + wrong;
}

TEST_CASE("minimize property: lists") {
  for_all_histories({.model = Workload::kListAppend, .cases = 600}, 120 * kBillion, goes_wrong);
}

TEST_CASE("minimize property: registers") {
  for_all_histories({.model = Workload::kRwRegister, .cases = 600}, 121 * kBillion, goes_wrong);
}

TEST_CASE("minimize property: registers with repeated values") {
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 600},
                    122 * kBillion, goes_wrong);
}

TEST_CASE("minimize property: corners") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 600},
                    123 * kBillion, goes_wrong);
}

TEST_CASE("minimize property: larger histories") {
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kLarge, .cases = 60},
                    124 * kBillion, goes_wrong);
}

}  // namespace
}  // namespace elapid
