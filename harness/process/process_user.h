// The user of a foreign program: database servers refuse to run as root.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "engine/ir/result.h"

namespace elapid {

struct ProcessUser {
  std::string name = {};
  uid_t user = 0;
  gid_t group = 0;
};

/// The user for programs that must not be root, if this process is root: `preferred` if there is
/// such a user, else `nobody`. Nothing if this process is not root. Error kInternal: there is
/// neither user.
[[nodiscard]] Result<std::optional<ProcessUser>> unprivileged_user(const std::string& preferred);

/// Changes this process to that user, for good. For new processes: calls only functions that are
/// safe between fork and exec. False if the system refused.
[[nodiscard]] bool become(const ProcessUser& user);

}  // namespace elapid
