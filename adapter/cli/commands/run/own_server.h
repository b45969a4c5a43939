// A server of a run's own, where the address of the database names none.
#pragma once

#include <optional>

#include "engine/ir/result.h"
#include "harness/drive/database_uri.h"
#include "harness/drive/driver.h"
#include "harness/servers/private_server.h"

namespace elapid {

/// The kind of server to start; null where the address or its parameters say where one is, or where
/// the database is no server.
[[nodiscard]] const ServerKind* own_server_kind(const Driver& driver, const DatabaseUri& uri);

/// Starts one, and makes `uri` its address, with the parameters that it had; nothing where no
/// own_server_kind() is to be started. It ends with the object.
[[nodiscard]] Result<std::optional<PrivateServer>> start_own_server(const Driver& driver,
                                                                    DatabaseUri& uri);

}  // namespace elapid
