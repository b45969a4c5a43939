// How long ended checks and streams are kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace elapid::http {

struct Retention {
  std::optional<std::chrono::hours> age = {};  ///< since its end; absent: for ever
  std::optional<std::size_t> count = {};       ///< of the newest; absent: all

  [[nodiscard]] bool keeps_all() const { return !age && !count; }
};

}  // namespace elapid::http
