// A server's network address: `localhost:5432`.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/ir/result.h"

namespace elapid {

struct HostAndPort {
  std::string host = {};
  std::optional<unsigned> port = {};
};

/// Error: kUsage for an invalid port.
inline Result<HostAndPort> parse_host_and_port(std::string_view text) {
  const std::size_t colon = std::min(text.rfind(':'), text.size());
  HostAndPort place = {.host = std::string(text.substr(0, colon))};
  const std::string_view port = text.substr(std::min(colon + 1, text.size()));
  const char* const end = port.data() + port.size();
  constexpr unsigned kMostPort = 65535;
  if (!port.empty() && (std::from_chars(port.data(), end, place.port.emplace()) !=
                            std::from_chars_result{end, std::errc()} ||
                        *place.port > kMostPort)) {
    return usage_error("a port is a number up to 65535, not '" + std::string(port) + "'");
  }
  return place;
}

}  // namespace elapid
