#include "adapter/report/actor_keys.h"

#include <span>

#include "engine/ir/utf8.h"
#include "engine/rows/rows.h"
#include "engine/verdict/event_ref.h"

namespace elapid {
namespace {

/// Whether the operation is about a whole table, which is no key.
bool is_of_a_table(const History& history, Op op) {
  return op.kind() == OpKind::kRow && history.info().rows->op(op).has_predicate();
}

}  // namespace

std::string key_noun(const History& history) {
  return history.info().rows ? "row" : "key";
}

std::vector<std::string> actor_keys(const History& history, const Actor& actor,
                                    std::size_t most_bytes) {
  std::vector<std::string> keys;
  if (!history.workload().has_transactions() || history.workload().has_objects()) {
    return keys;
  }
  const std::span<const Op> ops = shown_ops(history, actor.event);
  for (const Focus& focus : actor.focus) {
    if (focus.mop >= ops.size()) {
      continue;
    }
    if (!is_of_a_table(history, ops[focus.mop])) {
      keys.push_back(shortened(history.shown_key(ops[focus.mop].key()), most_bytes));
    } else if (!focus.element.is_none()) {
      keys.push_back(shortened(history.shown_text(focus.element), most_bytes));
    }
  }
  return keys;
}

}  // namespace elapid
