#include "harness/separate/serial_order.h"

namespace elapid {

namespace {

/// What a key holds: a register's value, or a list's elements.
struct Contents {
  std::uint8_t length = 0;
  std::array<std::uint8_t, kSmallOps> values = {};
};

using State = std::array<Contents, kSmallOps>;

/// Applies the writes; whether the reads saw what was there.
bool run(const SmallTxn& txn, bool are_lists, State& state) {
  for (const SmallOp& op : txn.ops) {
    Contents& held = state[op.key];
    if (!op.is_write) {
      if (held.length != op.length || held.values != op.values) {
        return false;
      }
    } else if (are_lists) {
      held.values[held.length++] = op.values[0];
    } else {
      held = {.length = 1, .values = {op.values[0]}};
    }
  }
  return true;
}

bool completes(const SmallShape& shape, const Before& before, bool are_lists, std::uint8_t done,
               const State& state) {
  bool is_complete = true;
  for (std::size_t t = 0; t < shape.size(); ++t) {
    const auto bit = static_cast<std::uint8_t>(1U << t);
    if ((done & bit) != 0) {
      continue;
    }
    is_complete = false;
    if ((before[t] & ~done) != 0) {
      continue;
    }
    State then = state;
    if (shape[t].is_aborted || run(shape[t], are_lists, then)) {
      if (completes(shape, before, are_lists, static_cast<std::uint8_t>(done | bit), then)) {
        return true;
      }
    }
  }
  return is_complete;
}

}  // namespace

bool has_serial_order(const SmallShape& shape, const Before& before, bool are_lists) {
  return completes(shape, before, are_lists, 0, State());
}

}  // namespace elapid
