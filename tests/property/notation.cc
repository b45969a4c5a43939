// Changes that must not change the verdict.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "engine/check/check.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "tests/property/properties.h"
#include "tests/support/dump.h"
#include "tests/support/verdict_text.h"

namespace elapid {

namespace {

std::string names_of(const ModelSet& models) {
  std::string names;
  for (const Model model : models) {
    names += " " + std::string(friendly_name(model));
  }
  return names;
}

/// Verdict and models ruled out, at the strictest level.
std::string answer(const History& history) {
  const Result<Verdict> result = check(history, {.models = ModelSet{Model::kPlSs}});
  if (!result.ok()) {
    return verdict_text(result);
  }
  return verdict_text(result) + " not" + names_of(result.value().not_models) + " also not" +
         names_of(result.value().also_not_models);
}

/// A history, the answer, and the test's result.
class Comparison {
 public:
  explicit Comparison(const TinyHistory& history)
      : history_(history), before_(answer(build(history))) {}

  [[nodiscard]] std::string with_keys_renamed() const {
    return compare("renaming keys", changed([](TinyEvent& event) {
                     for (TinyMop& mop : event.mops) {
                       mop.key = static_cast<char>('a' + 'z' - mop.key);
                     }
                   }));
  }

  [[nodiscard]] std::string with_values_renamed() const {
    // One to one, and neither ascending nor small.
    const History renamed = changed([](TinyEvent& event) {
      for (TinyMop& mop : event.mops) {
        for (std::int64_t& value : mop.values) {
          value = 10'000'000'000 * (value % 2) + 1000 - 7 * value;
        }
      }
    });
    // Of contradictory lists of one length, the one that sorts last by Elle's hashes of its values
    // counts as the version order: which cycles stand beside the contradiction is then a matter of
    // names.
    constexpr std::string_view kContradiction = "incompatible-order";
    if (before_.find(kContradiction) == std::string::npos) {
      return compare("renaming values", renamed);
    }
    const bool still = answer(renamed).find(kContradiction) != std::string::npos;
    return still ? "" : "renaming values: no contradiction any more";
  }

  [[nodiscard]] std::string with_processes_renamed() const {
    return compare("renaming processes",
                   changed([](TinyEvent& event) { event.process = 90 - 3 * event.process; }));
  }

  /// Through a file.
  [[nodiscard]] std::string read_from(std::string_view format, std::string bytes) const {
    const Workload workload =
        history_.model == Workload::kListAppend ? Workload::kListAppend : Workload::kRwRegister;
    const Result<LoadedHistory> loaded =
        read_history(memory_source("history", std::move(bytes)),
                     {.format = find_format(format), .workload = workload});
    const std::string what = "through " + std::string(format);
    return loaded.ok() ? compare(what, loaded.value().history())
                       : what + ": " + loaded.error().to_string();
  }

  [[nodiscard]] std::string dumped() const {
    const std::string text = dump(build(history_));
    const Result<History> parsed = parse_dump(text);
    if (!parsed.ok()) {
      return "through a dump: " + parsed.error().to_string();
    }
    return dump(parsed.value()) == text ? compare("through a dump", parsed.value())
                                        : "a dump of a dump is another";
  }

 private:
  /// The history with `change` applied to each event.
  template <class Change>
  [[nodiscard]] History changed(Change change) const {
    TinyHistory copy = history_;
    std::for_each(copy.events.begin(), copy.events.end(), change);
    return build(copy);
  }

  [[nodiscard]] std::string compare(const std::string& what, const History& after) const {
    const std::string text = answer(after);
    return text == before_ ? std::string() : what + ": " + before_ + " became " + text;
  }

  const TinyHistory& history_;
  std::string before_;
};

}  // namespace

std::string depends_on_notation(const TinyHistory& history) {
  if (parse_tiny(history.model, to_text(history)) != history) {
    return "the micro-language does not round-trip";
  }
  const Comparison comparison(history);
  for (const std::string& wrong : {comparison.with_keys_renamed(), comparison.with_values_renamed(),
                                   comparison.with_processes_renamed(), comparison.dumped(),
                                   comparison.read_from("edn", to_edn(history)),
                                   comparison.read_from("json", to_json(history))}) {
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

}  // namespace elapid
