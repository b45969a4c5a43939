#include "adapter/cli/options/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "engine/ir/integer_text.h"

namespace elapid {

Result<bool> asks_by_transaction(std::string_view levels) {
  const std::vector<std::string_view> names = split_list(levels);
  const bool is_asked = std::ranges::find(names, kByTransaction) != names.end();
  return is_asked && names.size() > 1
             ? usage_error("by-transaction stands alone: each transaction has its own level")
             : Result<bool>(is_asked);
}

Result<FailOn> parse_fail_on(std::string_view list) {
  FailOn fail_on;
  for (const std::string_view name : split_list(list)) {
    if (name == "lint") {
      fail_on.lint = true;
    } else if (name == "vacuous") {
      fail_on.vacuous = true;
    } else if (name != "invalid" && name != "unknown") {
      return usage_error("unknown --fail-on '" + std::string(name) +
                         "'; there is invalid, unknown, lint, vacuous");
    }
  }
  return fail_on;
}

Result<LeastContention> parse_least_contention(std::string_view list) {
  LeastContention least;
  const std::array<std::pair<std::string_view, std::size_t*>, 4> figures = {
      {{"overlapping", &least.overlapping},
       {"keys", &least.keys_of_many_writers},
       {"reads", &least.reads_of_others},
       {"committed", &least.committed_percent}}};
  for (const std::string_view part : split_list(list)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto figure = std::ranges::find(figures, part.substr(0, equals),
                                          &std::pair<std::string_view, std::size_t*>::first);
    const auto number = integer_of<std::size_t>(part.substr(std::min(equals + 1, part.size())));
    if (figure == figures.end() || !number) {
      return usage_error(
          fmt::format("expected a list such as overlapping=100,keys=5,reads=1000, not '{}'", part));
    }
    *figure->second = *number;
  }
  return least;
}

std::optional<Model> plain_form(Model model) {
  using enum Model;
  switch (model) {
    case kStrongSessionSnapshotIsolation:
      return kPlSi;
    case kStrongSessionSerializable:
      return kPl3;
    case kPc:
      return kPrefix;
    case kCc:
      return kCausalCerone;
    case kRa:
      return kReadAtomic;
    case kRc:
      return kPl2;
    default:
      return std::nullopt;
  }
}

std::vector<std::string> short_name_notes(std::string_view list) {
  constexpr std::size_t kLongestShortName = 3;
  std::vector<std::string> notes;
  const Result<std::vector<NamedModel>> named = parse_model_list(list, false);
  if (!named || is_all(list)) {
    return notes;
  }
  for (const NamedModel& one : named.value()) {
    const std::optional<Model> plain = plain_form(one.model);
    if (!plain || one.name.size() > kLongestShortName) {
      continue;
    }
    const std::string_view whole = friendly_name(one.model);
    notes.push_back(
        fmt::format("{} counts session order{}; {} does not", one.name,
                    whole.size() <= kLongestShortName ? "" : fmt::format(" ({})", whole),
                    friendly_name(*plain)));
  }
  return notes;
}

}  // namespace elapid
