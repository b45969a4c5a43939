#include "engine/workloads/kafka/log_error.h"

namespace elapid::kafka {

std::string_view name(ErrorType type) {
  constexpr std::array<std::string_view, kErrorTypeCount> kNames = {
      "duplicate",
      "inconsistent-offsets",
      "G1a",
      "precommitted-read",
      "lost-write",
      "never-sent",
      "poll-skip",
      "nonmonotonic-poll",
      "int-poll-skip",
      "int-nonmonotonic-poll",
      "nonmonotonic-send",
      "int-send-skip",
      "int-nonmonotonic-send",
  };
  return kNames.at(static_cast<std::size_t>(type));
}

}  // namespace elapid::kafka
