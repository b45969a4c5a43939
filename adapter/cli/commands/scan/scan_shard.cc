#include "adapter/cli/commands/scan/scan_shard.h"

#include <fmt/format.h>

#include "adapter/watch/checksum.h"
#include "engine/ir/integer_text.h"
#include "engine/ir/visible.h"

namespace elapid {
namespace {

constexpr std::size_t kMostShards = 1'000'000;

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
    const auto index = integer_of<std::size_t>(text.substr(0, slash));
    const auto count = integer_of<std::size_t>(text.substr(slash + 1));
    if (index && count && 1 <= *index && *index <= *count && *count <= kMostShards) {
      return Shard{.index = *index, .count = *count};
    }
  }
  return usage_error(fmt::format("expected a share as 1/8 to 8/8, found {}", visible_line(text)));
}

}  // namespace elapid
