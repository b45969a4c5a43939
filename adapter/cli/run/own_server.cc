#include "adapter/cli/run/own_server.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "adapter/cli/interrupt.h"

namespace elapid {
namespace {

/// The kind of private server that this driver speaks to; null if it needs none.
const ServerKind* kind_of_server(std::string_view driver) {
  for (const ServerKind* const kind : server_kinds()) {
    if (kind->name == driver || (kind->name == "mariadb" && driver == "mysql")) {
      return kind;
    }
  }
  return nullptr;
}

}  // namespace

Result<std::optional<PrivateServer>> start_own_server(const Driver& driver, DatabaseUri& uri) {
  const ServerKind* const kind = kind_of_server(driver.info().name);
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
