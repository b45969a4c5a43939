#include "engine/workloads/kafka/messages.h"

#include <algorithm>
#include <array>

#include "engine/ir/int_map.h"
#include "engine/workloads/kafka/marks.h"

namespace elapid::kafka {

namespace {

bool is_message(const Op& op) {
  return op.kind() == OpKind::kAppend || op.kind() == OpKind::kRead;
}

}  // namespace

/// Numbers messages. The values of all keys may be consecutive, as 1, 2, 3: each is a place of an
/// array, which belongs to the first key with it. Else most values of a key are: sixteen of them
/// share an entry of the table.
class MessageIds {
 public:
  explicit MessageIds(std::size_t message_count) : places_(message_count + 1) {}

  /// The number of this value of the key. The caller sets it if it is none().
  MessageId& of(KeyId key, ValueId value) {
    if (const std::uint32_t at = value.bits() - ValueId::integer(0).bits(); at < places_.size()) {
      Place& place = places_[at];
      if (place.key.is_none()) {
        place.key = key;
      }
      if (place.key == key) {
        return place.message;
      }
    }
    const std::uint64_t name = packed(key, value);
    if (name / kRow != last_name_) {
      last_name_ = name / kRow;
      const auto fresh = static_cast<std::uint32_t>(rows_.size());
      last_row_ = table_.find_or_add(static_cast<std::int64_t>(last_name_), fresh);
      if (last_row_ == fresh) {
        rows_.emplace_back();
      }
    }
    return rows_[last_row_][name % kRow];
  }

 private:
  static constexpr std::uint64_t kRow = 16;

  struct Place {
    KeyId key;
    MessageId message;
  };

  std::vector<Place> places_;
  IntMap table_;
  std::vector<std::array<MessageId, kRow>> rows_;
  std::uint64_t last_name_ = ~std::uint64_t{0};
  std::uint32_t last_row_ = 0;
};

Messages::Messages(const History& history, bool counts_open)
    : history_(history),
      counts_open_(counts_open),
      assigned_(history.values().find(kAssignedMark)),
      empty_(history.values().find(kEmptyMark)),
      rebalanced_(history.values().find(kRebalancedMark)),
      error_(history.values().find(kErrorMark)) {
  constexpr std::array kNames = {":send", ":poll", ":txn", ":assign", ":subscribe"};
  std::array<ValueId, kNames.size()> names;
  std::ranges::transform(kNames, names.begin(),
                         [&](const char* name) { return history.values().find(name); });
  const auto sends = static_cast<std::size_t>(
      std::ranges::count_if(history.all_ops(), [](Op op) { return op.kind() == OpKind::kAppend; }));
  own_offsets_.reserve(sends);
  keys_.reserve(sends);
  values_.reserve(sends);
  MessageIds ids(sends);
  functions_.reserve(history.txn_count());
  first_runs_.reserve(history.txn_count() + 1);
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    first_runs_.push_back(static_cast<std::uint32_t>(runs_.size()));
    std::span<const Op> ops = history.ops(txn);
    const auto name = ops.empty() ? names.end() : std::ranges::find(names, ops.front().value());
    functions_.push_back(static_cast<Function>(name - names.begin()));
    while (!ops.empty()) {
      ops = ops.subspan(is_message(ops.front()) ? keep_run(ops, ids) : 1);
    }
  }
  first_runs_.push_back(static_cast<std::uint32_t>(runs_.size()));
  runs_.push_back({.first_sight = static_cast<std::uint32_t>(sights_.size())});
}

/// Keeps the messages of one key at the begin of these operations, each with its offset. Returns
/// the number of operations read.
std::size_t Messages::keep_run(std::span<const Op> ops, MessageIds& ids) {
  const OpKind kind = ops.front().kind();
  const KeyId key = ops.front().key();
  Kept run = {.is_send = kind == OpKind::kAppend ? 1U : 0U,
              .key = key.value & kKeyBits,
              .first_sight = static_cast<std::uint32_t>(sights_.size())};
  std::size_t i = 0;
  for (; i < ops.size() && ops[i].kind() == kind && ops[i].key() == key; ++i) {
    const ValueId value = ops[i].value();
    const bool has_offset =
        i + 1 < ops.size() && ops[i + 1].kind() == OpKind::kWrite && ops[i + 1].key() == key;
    const std::int64_t offset = has_offset ? offset_in(ops[++i]) : kNoOffset;
    const MessageId message = number(key, value, offset, ids);
    const bool is_own = offset != kNoOffset && offset == own_offsets_[message.index()];
    if (!is_own && run.first_offset == kOwnOffsets) {
      run.first_offset = static_cast<std::uint32_t>(offsets_.size());
      for (const MessageId before : std::span(sights_).subspan(run.first_sight)) {
        offsets_.push_back(own_offsets_[before.index()]);
      }
    }
    if (run.first_offset != kOwnOffsets) {
      offsets_.push_back(offset);
    }
    sights_.push_back(message);
  }
  runs_.push_back(run);
  return i;
}

/// The number of the message, which is at this offset. Its first known offset is its own.
inline MessageId Messages::number(KeyId key, ValueId value, std::int64_t offset, MessageIds& ids) {
  MessageId& message = ids.of(key, value);
  if (message.is_none()) {
    message = {static_cast<std::uint32_t>(values_.size())};
    keys_.push_back(key);
    values_.push_back(value);
    own_offsets_.push_back(offset);
  } else if (own_offsets_[message.index()] == kNoOffset) {
    own_offsets_[message.index()] = offset;
  }
  return message;
}

inline std::int64_t Messages::offset_in(Op op) const {
  return op.value().is_integer() ? op.value().as_integer()
                                 : history_.values().as_integer(op.value()).value_or(kNoOffset);
}

std::vector<std::size_t> Messages::counts() const {
  std::vector<std::size_t> counts(history_.key_count());
  for (const KeyId key : keys_) {
    ++counts[key.index()];
  }
  return counts;
}

ValueId Messages::error(TxnId txn) const {
  const std::span<const Op> ops = history_.ops(txn);
  const std::size_t count = ops.size();
  const bool is_error = count >= 2 && ops[count - 1].kind() == OpKind::kWrite &&
                        ops[count - 2].kind() == OpKind::kOther && ops[count - 2].value() == error_;
  return is_error ? ops.back().value() : ValueId::nil();
}

std::vector<KeyId> Messages::marked(TxnId txn, ValueId mark) const {
  std::vector<KeyId> keys;
  if (mark.is_none()) {
    return keys;
  }
  for (const Op op : history_.ops(txn)) {
    if (op.kind() == OpKind::kOther && op.value() == mark) {
      keys.push_back(op.key());
    }
  }
  return keys;
}

}  // namespace elapid::kafka
