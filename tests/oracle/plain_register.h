// A register as a PlainObject (plain_objects.h), nil at first.
#pragma once

#include <memory>

#include "tests/oracle/plain_objects.h"

namespace elapid {

struct PlainRegisterOptions {
  std::int64_t values = 3;  ///< that are written; 0: each is new
  bool has_cas = false;
  bool has_failed_cas = false;  ///< as witnesses
};

[[nodiscard]] std::unique_ptr<PlainObject> plain_register(PlainRegisterOptions options);

}  // namespace elapid
