#include "adapter/cli/commands/run/own_server.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "adapter/cli/terminal/interrupt.h"

namespace elapid {

const ServerKind* own_server_kind(const Driver& driver, const DatabaseUri& uri) {
  static constexpr std::array<std::string_view, 3> kPlaces = {"host", "port", "socket"};
  const bool has_place = std::ranges::any_of(
      kPlaces, [&](std::string_view place) { return !uri.parameter(place, "").empty(); });
  return uri.address.empty() && !has_place ? server_of_driver(driver.info().name) : nullptr;
}

Result<std::optional<PrivateServer>> start_own_server(const Driver& driver, DatabaseUri& uri) {
  const ServerKind* const kind = own_server_kind(driver, uri);
  if (kind == nullptr) {
    return std::optional<PrivateServer>();
  }
  ELAPID_ASSIGN_OR_RETURN(PrivateServer server,
                          PrivateServer::start(*kind, {.is_cancelled = interrupted}));
  ELAPID_ASSIGN_OR_RETURN(DatabaseUri its, parse_database_uri(server.uri()));
  std::ranges::move(uri.parameters, std::back_inserter(its.parameters));
  uri = std::move(its);
  return std::optional<PrivateServer>(std::move(server));
}

}  // namespace elapid
