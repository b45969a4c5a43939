// Messages about a damaged state.
#pragma once

#include <string>
#include <string_view>

#include "engine/ir/result.h"

namespace elapid {

/// kUnreadable: the file of a state is not as it was written; with advice.
[[nodiscard]] inline Error state_damage(std::string file, std::string_view what) {
  return {.kind = ErrorKind::kUnreadable,
          .message = "the state is damaged: " + std::string(what) +
                     "; remove its directory and send the stream from the beginning",
          .file = std::move(file)};
}

}  // namespace elapid
