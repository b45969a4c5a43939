// Changes that must not change the verdict.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/check.h"
#include "engine/ir/dump.h"
#include "parsers/read.h"
#include "tests/property/properties.h"
#include "tests/support/verdict_text.h"

namespace elapid {

namespace {

/// Verdict and models ruled out, at the strictest level.
std::string answer(const History& history, DataModel model) {
  const Result<Verdict> result = check(
      history,
      {.data_model = model, .models = ModelSet().set(static_cast<std::size_t>(Model::kPlSs))});
  if (!result.ok()) {
    return verdict_text(result);
  }
  return verdict_text(result) + " not " + result.value().not_models.to_string() + ' ' +
         result.value().also_not_models.to_string();
}

std::string answer(const TinyHistory& history) {
  return answer(build(history), history.model);
}

std::string difference(const std::string& what, const std::string& before,
                       const std::string& after) {
  return before == after ? std::string() : what + ": " + before + " became " + after;
}

/// The history with `change` applied to each event.
template <class Change>
TinyHistory changed(TinyHistory history, Change change) {
  std::for_each(history.events.begin(), history.events.end(), change);
  return history;
}

std::string rename_keys(const TinyHistory& history) {
  const TinyHistory renamed = changed(history, [](TinyEvent& event) {
    for (TinyMop& mop : event.mops) {
      mop.key = static_cast<char>('a' + 'z' - mop.key);
    }
  });
  return difference("renaming keys", answer(history), answer(renamed));
}

std::string rename_values(const TinyHistory& history) {
  // One to one, and neither ascending nor small.
  const TinyHistory renamed = changed(history, [](TinyEvent& event) {
    for (TinyMop& mop : event.mops) {
      for (std::int64_t& value : mop.values) {
        value = 10'000'000'000 * (value % 2) + 1000 - 7 * value;
      }
    }
  });
  const std::string before = answer(history);
  // Of contradictory lists of one length, the one that sorts last by Elle's hashes of its values
  // counts as the version order: which cycles are there beside the contradiction is then a matter
  // of names.
  if (before.find("incompatible-order") != std::string::npos) {
    return answer(renamed).find("incompatible-order") == std::string::npos
               ? "renaming values: no incompatible-order any more"
               : "";
  }
  return difference("renaming values", before, answer(renamed));
}

std::string rename_processes(const TinyHistory& history) {
  const TinyHistory renamed =
      changed(history, [](TinyEvent& event) { event.process = 90 - 3 * event.process; });
  return difference("renaming processes", answer(history), answer(renamed));
}

/// Through a file.
std::string read_again(const TinyHistory& history, Format format, std::string bytes) {
  const Workload workload =
      history.model == DataModel::kListAppend ? Workload::kListAppend : Workload::kRwRegister;
  const Result<LoadedHistory> loaded = read_history(memory_source("history", std::move(bytes)),
                                                    {.format = format, .workload = workload});
  const std::string what = "through " + std::string(name(format));
  return loaded.ok()
             ? difference(what, answer(history), answer(loaded.value().history(), history.model))
             : what + ": " + loaded.error().to_string();
}

std::string dump_again(const TinyHistory& history) {
  const std::string text = dump(build(history));
  const Result<History> parsed = parse_dump(text);
  if (!parsed.ok()) {
    return "through a dump: " + parsed.error().to_string();
  }
  const std::string wrong = difference("a dump of a dump", text, dump(parsed.value()));
  return wrong.empty()
             ? difference("through a dump", answer(history), answer(parsed.value(), history.model))
             : wrong;
}

}  // namespace

std::string depends_on_notation(const TinyHistory& history) {
  if (parse_tiny(history.model, to_text(history)) != history) {
    return "the micro-language does not round-trip";
  }
  for (const std::string& wrong :
       {rename_keys(history), rename_values(history), rename_processes(history),
        dump_again(history), read_again(history, Format::kEdn, to_edn(history)),
        read_again(history, Format::kJson, to_json(history))}) {
    if (!wrong.empty()) {
      return wrong;
    }
  }
  return {};
}

}  // namespace elapid
