#include "adapter/cli/quantities.h"

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <optional>
#include <span>
#include <utility>

namespace elapid {
namespace {

using Unit = std::pair<std::string_view, std::uint64_t>;

/// The number times its unit; nothing if it is none, is 0 or does not fit.
std::optional<std::uint64_t> parse(std::string_view text, std::span<const Unit> units) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number == 0) {
    return std::nullopt;
  }
  const std::string_view suffix = text.substr(static_cast<std::size_t>(end - text.data()));
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const auto& [name, size] : units) {
    if (suffix == name && number <= kMost / size) {
      return number * size;
    }
  }
  return std::nullopt;
}

}  // namespace

Result<std::chrono::milliseconds> parse_duration(std::string_view text) {
  static constexpr Unit kUnits[] = {
      {"", 1000}, {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}};
  const auto milliseconds = parse(text, kUnits);
  if (!milliseconds) {
    return Error{
        .kind = ErrorKind::kUsage,
        .message = fmt::format("expected a duration such as 500ms, 90s or 5m, not '{}'", text)};
  }
  return std::chrono::milliseconds(*milliseconds);
}

Result<std::uint64_t> parse_bytes(std::string_view text) {
  static constexpr Unit kUnits[] = {{"", 1},
                                    {"K", std::uint64_t{1} << 10},
                                    {"M", std::uint64_t{1} << 20},
                                    {"G", std::uint64_t{1} << 30},
                                    {"T", std::uint64_t{1} << 40}};
  const auto bytes = parse(text, kUnits);
  if (!bytes) {
    return Error{.kind = ErrorKind::kUsage,
                 .message = fmt::format("expected a size such as 500M or 2G, not '{}'", text)};
  }
  return *bytes;
}

}  // namespace elapid
