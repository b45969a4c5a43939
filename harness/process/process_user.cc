#include "harness/process/process_user.h"

#include <grp.h>
#include <pwd.h>
#include <unistd.h>

namespace elapid {

Result<std::optional<ProcessUser>> unprivileged_user(const std::string& preferred) {
  if (::geteuid() != 0) {
    return std::optional<ProcessUser>();
  }
  for (const std::string& name : {preferred, std::string("nobody")}) {
    if (const passwd* entry = ::getpwnam(name.c_str()); entry != nullptr && entry->pw_uid != 0) {
      return std::optional(
          ProcessUser{.name = name, .user = entry->pw_uid, .group = entry->pw_gid});
    }
  }
  return Error{.kind = ErrorKind::kInternal,
               .message = "there is no user " + preferred + " to run it as, and no user nobody"};
}

bool become(const ProcessUser& user) {
  return ::setgroups(0, nullptr) == 0 && ::setgid(user.group) == 0 && ::setuid(user.user) == 0;
}

}  // namespace elapid
