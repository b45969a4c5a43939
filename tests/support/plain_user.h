// A user for whom permissions of files count, even if root runs the tests.
#pragma once

#include <unistd.h>

#include <catch2/catch.hpp>

namespace elapid {

/// This process is that of a user who owns nothing, for whom permissions count, as long as this
/// lives. One who is no superuser stays as he is.
class PlainUser {
 public:
  PlainUser() {
    if (was_root_) {
      REQUIRE(::seteuid(kPlainUser) == 0);
    }
  }

  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;

  ~PlainUser() {
    if (was_root_) {
      CHECK(::seteuid(0) == 0);
    }
  }

 private:
  static constexpr uid_t kPlainUser = 65534;
  bool was_root_ = ::geteuid() == 0;
};

}  // namespace elapid
