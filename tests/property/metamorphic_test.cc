// Changes that must not change the verdict.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <utility>

#include "engine/check.h"
#include "engine/ir/dump.h"
#include "parsers/read.h"
#include "tests/property/for_all.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

/// Verdict and models ruled out, at the strictest level.
std::string answer(const History& history, DataModel model) {
  const Result<Verdict> result = check(
      history,
      {.data_model = model, .models = ModelSet().set(static_cast<std::size_t>(Model::kPlSs))});
  return verdict_text(result) + (result.ok() ? " not " + result.value().not_models.to_string() +
                                                   ' ' + result.value().also_not_models.to_string()
                                             : std::string());
}

std::string difference(const std::string& what, const std::string& before,
                       const std::string& after) {
  return before == after ? std::string() : what + ": " + before + " became " + after;
}

/// Applies `change` to each event and compares the answers.
template <class Change>
std::string compare_changed(const std::string& what, const TinyHistory& history, Change change) {
  TinyHistory changed = history;
  std::for_each(changed.events.begin(), changed.events.end(), change);
  return difference(what, answer(build(history), history.model),
                    answer(build(changed), history.model));
}

std::string rename_keys(const TinyHistory& history) {
  return compare_changed("renaming keys", history, [](TinyEvent& event) {
    for (TinyMop& mop : event.mops) {
      mop.key = static_cast<char>('a' + 'z' - mop.key);
    }
  });
}

std::string rename_values(const TinyHistory& history) {
  // One to one, and neither ascending nor small.
  return compare_changed("renaming values", history, [](TinyEvent& event) {
    for (TinyMop& mop : event.mops) {
      for (std::int64_t& value : mop.values) {
        value = 10'000'000'000 * (value % 2) + 1000 - 7 * value;
      }
    }
  });
}

std::string rename_processes(const TinyHistory& history) {
  return compare_changed("renaming processes", history,
                         [](TinyEvent& event) { event.process = 90 - 3 * event.process; });
}

/// Through a file in another notation.
std::string read_again(const TinyHistory& history, Format format, std::string bytes) {
  const Workload workload =
      history.model == DataModel::kListAppend ? Workload::kListAppend : Workload::kRwRegister;
  const Result<LoadedHistory> loaded = read_history(memory_source("history", std::move(bytes)),
                                                    {.format = format, .workload = workload});
  const std::string what = "through " + std::string(name(format));
  if (!loaded.ok()) {
    return what + ": " + loaded.error().to_string();
  }
  return difference(what, answer(build(history), history.model),
                    answer(loaded.value().history(), history.model));
}

std::string dump_again(const TinyHistory& history) {
  const std::string text = dump(build(history));
  const Result<History> parsed = parse_dump(text);
  if (!parsed.ok()) {
    return "through a dump: " + parsed.error().to_string();
  }
  const std::string wrong = difference("dump of a dump", text, dump(parsed.value()));
  return wrong.empty() ? difference("through a dump", answer(build(history), history.model),
                                    answer(parsed.value(), history.model))
                       : wrong;
}

std::string transform(const TinyHistory& history) {
  if (parse_tiny(history.model, to_text(history)) != history) {
    return "the micro-language does not round-trip";
  }
  for (std::string wrong : {rename_keys(history), rename_values(history), rename_processes(history),
                            dump_again(history), read_again(history, Format::kEdn, to_edn(history)),
                            read_again(history, Format::kJson, to_json(history))}) {
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

TEST_CASE("property: names and notation do not matter") {
  for_all_histories(DataModel::kListAppend, 4'000'000'000, transform);
  for_all_histories(DataModel::kRwRegister, 5'000'000'000, transform);
}

}  // namespace
}  // namespace elapid
