#include "adapter/cli/run/own_server.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "adapter/cli/interrupt.h"

namespace elapid {
Result<std::optional<PrivateServer>> start_own_server(const Driver& driver, DatabaseUri& uri) {
  const ServerKind* const kind = server_of_driver(driver.info().name);
  if (!uri.address.empty() || kind == nullptr) {
    return std::optional<PrivateServer>();
  }
  Result<PrivateServer> server = PrivateServer::start(*kind, {.is_cancelled = interrupted});
  if (!server) {
    return std::move(server.error());
  }
  Result<DatabaseUri> its = parse_database_uri(server.value().uri());
  if (!its) {
    return std::move(its.error());
  }
  std::ranges::move(uri.parameters, std::back_inserter(its.value().parameters));
  uri = std::move(its).value();
  return std::optional<PrivateServer>(std::move(server).value());
}

}  // namespace elapid
