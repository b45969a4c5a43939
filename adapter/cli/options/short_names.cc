#include "adapter/cli/options/short_names.h"

#include <fmt/format.h>

#include <cstddef>

#include "adapter/cli/options/names.h"

namespace elapid {

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
