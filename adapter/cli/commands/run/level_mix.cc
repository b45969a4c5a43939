#include "adapter/cli/commands/run/level_mix.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/levels/asked_levels.h"
#include "parsers/door/names.h"

namespace elapid {
namespace {

/// So many levels have numbers (Request::level).
constexpr std::size_t kMostLevels = std::numeric_limits<std::uint8_t>::max() + std::size_t{1};

Status take_part(std::string_view part, LevelMix& mix) {
  const std::size_t colon = part.find(':');
  const std::string level = in_our_words(std::string(part.substr(0, colon)));
  std::uint32_t share = 1;
  if (colon != std::string_view::npos) {
    const std::string_view digits = part.substr(colon + 1);
    const char* const all = digits.data() + digits.size();
    const auto [end, error] = std::from_chars(digits.data(), all, share);
    if (error != std::errc() || end != all || share == 0) {
      return usage_error(
          fmt::format("--isolation: expected a share as serializable:30, found {}", part));
    }
  }
  if (level.empty() || std::ranges::find(mix.levels, level) != mix.levels.end()) {
    return usage_error(
        level.empty()
            ? "--isolation: expected a level, found nothing"
            : fmt::format("--isolation: expected each level once, found {} twice", level));
  }
  mix.levels.push_back(level);
  mix.shares.push_back(share);
  return mix.levels.size() <= kMostLevels ? Status()
                                          : usage_error("--isolation: expected fewer levels");
}

}  // namespace

std::string LevelMix::name() const {
  return fmt::format("{}", fmt::join(levels, "+"));
}

std::string LevelMix::text() const {
  std::string text;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    text += i == 0 ? "" : ",";
    text += is_one() ? levels[i] : fmt::format("{}:{}", levels[i], shares[i]);
  }
  return text;
}

Result<LevelMix> parse_level_mix(std::string_view text) {
  std::string list(text);
  std::ranges::replace(list, '+', ',');
  LevelMix mix;
  for (const std::string_view part : split_list(list)) {
    ELAPID_RETURN_IF_ERROR(take_part(part, mix));
  }
  return mix.levels.empty() ? Result<LevelMix>(usage_error("--isolation: expected a level"))
                            : Result<LevelMix>(std::move(mix));
}

}  // namespace elapid
