// Values that are written to a key more than once, in formats that need a unique value for each
// write.
#include <algorithm>
#include <string>
#include <unordered_set>

#include "parsers/convert/plan.h"

namespace elapid {

namespace {

using Writes = std::span<const WrittenValues::Write>;

/// Calls `use` with the writes of each value, key by key.
template <class Use>
void for_each_value(Writes writes, Use use) {
  for (std::size_t begin = 0, end = 0; begin < writes.size(); begin = end) {
    while (end < writes.size() && writes[end].key == writes[begin].key &&
           writes[end].value == writes[begin].value) {
      ++end;
    }
    use(writes.subspan(begin, end - begin));
  }
}

/// Whether some value is written to two keys.
bool is_shared_by_keys(Writes writes) {
  std::unordered_set<ValueId> seen;
  bool is_shared = false;
  for_each_value(writes, [&](Writes same) {
    is_shared = !seen.insert(same.front().value).second || is_shared;
  });
  return is_shared;
}

std::uint64_t pair_of(KeyId key, ValueId value) {
  return std::uint64_t{key.value} << 32U | value.bits();
}

}  // namespace

/// A value that the read saw and that was written more than once, if there is one.
std::optional<ValueId> Plan::ambiguous_value(const PlannedOp& read, const Pairs& repeated) const {
  const auto repeats = [&](ValueId value) { return repeated.contains(pair_of(read.key, value)); };
  if (read.kind == OpKind::kReadList) {
    const auto found = std::ranges::find_if(read.elements, repeats);
    return found == read.elements.end() ? std::nullopt : std::optional(*found);
  }
  const bool is_read = read.kind == OpKind::kRead && !read.is_initial;
  return is_read && repeats(read.value) ? std::optional(read.value) : std::nullopt;
}

Status Plan::refuse_repeats_read() const {
  Pairs repeated;
  for_each_value(kept_writes(), [&](Writes same) {
    if (same.size() > 1) {
      repeated.insert(pair_of(same.front().key, same.front().value));
    }
  });
  std::vector<PlannedOp> ops;
  for (std::size_t i = 0; i < txns_.size() && !repeated.empty(); ++i) {
    this->ops(txns_[i], ops);
    for (const PlannedOp& op : ops) {
      if (const std::optional<ValueId> value = ambiguous_value(op, repeated)) {
        const std::size_t times = written_.find(op.key, *value).size();
        return usage_error("value " + history_->text(*value) + " of key " +
                           history_->key_text(op.key) + " written " + std::to_string(times) +
                           " times, reads ambiguous: " + text(*target_) +
                           " wants each write of a key to have a value of its own");
      }
    }
  }
  return {};
}

/// Numbers writes of repeated values apart, if the format requires it.
Status Plan::number_repeats() {
  if (target_->repeats) {
    return {};
  }
  const std::vector<WrittenValues::Write> writes = kept_writes();
  ELAPID_RETURN_IF_ERROR(refuse_repeats_read());
  const bool each = target_->unique_everywhere && is_shared_by_keys(writes);
  for_each_value(writes, [&](Writes same) {
    if (each || same.size() > 1) {
      for (const WrittenValues::Write& write : same) {
        write_numbers_.emplace(write.op, values_.fresh());
      }
    }
  });
  return {};
}

/// The writes of transactions that are kept.
std::vector<WrittenValues::Write> Plan::kept_writes() const {
  std::vector<WrittenValues::Write> kept;
  std::ranges::copy_if(written_.all(), std::back_inserter(kept),
                       [&](const auto& write) { return bool{is_kept_[write.txn.index()]}; });
  return kept;
}

}  // namespace elapid
