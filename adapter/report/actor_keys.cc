#include "adapter/report/actor_keys.h"

#include <span>

#include "adapter/report/html.h"
#include "engine/verdict/event_ref.h"

namespace elapid {

std::vector<std::string> actor_keys(const History& history, const Actor& actor,
                                    std::size_t most_bytes) {
  std::vector<std::string> keys;
  if (!history.workload().has_transactions()) {
    return keys;
  }
  const std::span<const Op> ops = shown_ops(history, actor.event);
  for (const Focus& focus : actor.focus) {
    if (focus.mop < ops.size()) {
      keys.push_back(shortened(history.key_text(ops[focus.mop].key()), most_bytes));
    }
  }
  return keys;
}

}  // namespace elapid
