#include "adapter/cli/options/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>
#include <utility>

namespace elapid {

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
    const std::string_view number = part.substr(std::min(equals + 1, part.size()));
    const char* const last = number.data() + number.size();
    if (figure == figures.end() || number.empty() ||
        std::from_chars(number.data(), last, *figure->second) !=
            std::from_chars_result{last, std::errc()}) {
      return usage_error(
          fmt::format("expected a list such as overlapping=100,keys=5,reads=1000, not '{}'", part));
    }
  }
  return least;
}

}  // namespace elapid
