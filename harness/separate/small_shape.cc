#include "harness/separate/small_shape.h"

#include <algorithm>
#include <numeric>

namespace elapid {

namespace {

using KeyNames = std::array<std::uint8_t, kSmallOps>;
using ValueNames = std::array<KeyNames, kSmallOps>;

/// The shape with its transactions in this order. Keys and values are numbered by first appearance.
SmallShape renamed(const SmallShape& shape, const std::vector<std::size_t>& order) {
  constexpr std::uint8_t kNew = 0xFF;
  KeyNames keys;
  keys.fill(kNew);
  ValueNames values = {};
  KeyNames writes = {};
  std::uint8_t key_count = 0;
  for (const std::size_t t : order) {
    for (const SmallOp& op : shape[t].ops) {
      if (keys[op.key] == kNew) {
        keys[op.key] = key_count++;
      }
      if (op.is_write) {
        values[op.key][op.values[0]] = ++writes[op.key];
      }
    }
  }
  SmallShape result;
  for (const std::size_t t : order) {
    SmallTxn& txn = result.emplace_back(shape[t]);
    for (SmallOp& op : txn.ops) {
      for (std::size_t i = 0; i < op.length; ++i) {
        op.values[i] = values[op.key][op.values[i]];
      }
      op.key = keys[op.key];
    }
  }
  return result;
}

/// Whether no other order of transactions with the same lengths gives a smaller shape.
bool is_least(const SmallShape& shape) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  while (std::next_permutation(order.begin(), order.end())) {
    const auto length = [&](std::size_t t) { return shape[t].ops.size(); };
    if (std::ranges::is_sorted(order, std::greater(), length) && renamed(shape, order) < shape) {
      return false;
    }
  }
  return true;
}

bool is_read_from(const SmallShape& shape, const SmallTxn& writer) {
  return std::ranges::any_of(shape, [&](const SmallTxn& reader) {
    return std::ranges::any_of(reader.ops, [&](const SmallOp& read) {
      return !read.is_write && std::ranges::any_of(writer.ops, [&](const SmallOp& write) {
        const auto seen = read.values.begin() + read.length;
        return write.key == read.key &&
               std::find(read.values.begin(), seen, write.values[0]) != seen;
      });
    });
  });
}

/// Makes the shapes of one size. Chooses the lengths of transactions, then the writes and their
/// keys, then what reads saw, then the aborted transactions.
class Shapes {
 public:
  Shapes(ShapeKind kind, const std::function<bool(const SmallShape&)>& use)
      : kind_(kind), use_(use) {}

  bool lengths(ShapeSize left, std::size_t longest) {
    if (left.txns == 0) {
      return left.ops > 0 || operations(0, 0, 0);
    }
    for (std::size_t length = std::min(longest, left.ops); length > 0; --length) {
      shape_.emplace_back().ops.resize(length);
      const bool goes_on = lengths({left.txns - 1, left.ops - length}, length);
      shape_.pop_back();
      if (!goes_on) {
        return false;
      }
    }
    return true;
  }

 private:
  bool operations(std::size_t t, std::size_t o, std::uint8_t keys) {
    if (t == shape_.size()) {
      const auto end = writes_.begin() + keys;
      return std::find(writes_.begin(), end, 0) != end || reads(0, 0);
    }
    if (o == shape_[t].ops.size()) {
      return operations(t + 1, 0, keys);
    }
    for (std::uint8_t key = 0; key <= keys && key < kSmallOps; ++key) {
      const std::uint8_t known = std::max<std::uint8_t>(keys, static_cast<std::uint8_t>(key + 1));
      const Use earlier = use_of(key, shape_[t], o);
      shape_[t].ops[o] = {.is_write = false, .key = key};
      if (earlier == Use::kNone && !operations(t, o + 1, known)) {
        return false;
      }
      if (earlier == Use::kWritten) {
        continue;
      }
      const std::uint8_t value = ++writes_[key];
      shape_[t].ops[o] = {.is_write = true, .key = key, .length = 1, .values = {value}};
      const bool goes_on = operations(t, o + 1, known);
      --writes_[key];
      if (!goes_on) {
        return false;
      }
    }
    return true;
  }

  enum class Use : std::uint8_t { kNone, kRead, kWritten };

  /// The use of a key by the first `count` operations of a transaction, if shapes are normal.
  [[nodiscard]] Use use_of(std::uint8_t key, const SmallTxn& txn, std::size_t count) const {
    Use use = Use::kNone;
    for (std::size_t o = 0; kind_.are_normal && o < count; ++o) {
      if (txn.ops[o].key == key) {
        use = std::max(use, txn.ops[o].is_write ? Use::kWritten : Use::kRead);
      }
    }
    return use;
  }

  bool reads(std::size_t t, std::size_t o) {
    if (t == shape_.size()) {
      return outcomes(0);
    }
    if (o == shape_[t].ops.size()) {
      return reads(t + 1, 0);
    }
    if (shape_[t].ops[o].is_write) {
      return reads(t, o + 1);
    }
    return seen(t, o);
  }

  /// Tries all results of the read at (t, o) that begin with its present one.
  bool seen(std::size_t t, std::size_t o) {
    if (!reads(t, o + 1)) {
      return false;
    }
    SmallOp& read = shape_[t].ops[o];
    if (!kind_.are_lists && read.length == 1) {
      return true;
    }
    for (std::uint8_t value = 1; value <= writes_[read.key]; ++value) {
      const auto end = read.values.begin() + read.length;
      if (std::find(read.values.begin(), end, value) != end) {
        continue;
      }
      read.values[read.length++] = value;
      const bool goes_on = seen(t, o);
      read.values[--read.length] = 0;
      if (!goes_on) {
        return false;
      }
    }
    return true;
  }

  bool outcomes(std::size_t t) {
    if (t == shape_.size()) {
      return !is_least(shape_) || use_(shape_);
    }
    if (!outcomes(t + 1)) {
      return false;
    }
    const bool writes_only = std::ranges::all_of(shape_[t].ops, &SmallOp::is_write);
    if (!writes_only || !is_read_from(shape_, shape_[t])) {
      return true;
    }
    shape_[t].is_aborted = true;
    const bool goes_on = outcomes(t + 1);
    shape_[t].is_aborted = false;
    return goes_on;
  }

  ShapeKind kind_;
  const std::function<bool(const SmallShape&)>& use_;
  SmallShape shape_ = {};
  KeyNames writes_ = {};  // by key, so far
};

}  // namespace

bool for_all_shapes(ShapeSize size, ShapeKind kind,
                    const std::function<bool(const SmallShape&)>& use) {
  return Shapes(kind, use).lengths(size, size.ops);
}

}  // namespace elapid
