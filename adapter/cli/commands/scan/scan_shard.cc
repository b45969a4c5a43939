#include "adapter/cli/commands/scan/scan_shard.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "adapter/watch/checksum.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

constexpr std::size_t kMostShards = 1'000'000;

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole ? std::optional(number) : std::nullopt;
}

}  // namespace

bool Shard::has(std::string_view path) const {
  return checksum(path, 0) % count == index - 1;
}

std::string Shard::text() const {
  return fmt::format("{}/{}", index, count);
}

Result<Shard> parse_shard(std::string_view text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const auto index = whole_number(text.substr(0, slash));
    const auto count = whole_number(text.substr(slash + 1));
    if (index && count && 1 <= *index && *index <= *count && *count <= kMostShards) {
      return Shard{.index = *index, .count = *count};
    }
  }
  return usage_error(fmt::format("expected a share as 1/8 to 8/8, found {}", visible_line(text)));
}

}  // namespace elapid
