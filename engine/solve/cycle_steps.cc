#include "engine/solve/cycle_steps.h"

#include <algorithm>
#include <optional>

#include "engine/solve/footprints.h"

namespace elapid {

namespace {

/// An operation of a transaction and the version that it wrote or read.
struct NamedOp {
  std::int32_t mop = -1;
  ValueId version = ValueId::none();
};

class StepMaker {
 public:
  StepMaker(const History& history) : history_(history), is_list_(history.has_lists()) {}

  [[nodiscard]] Step make(const OrderEdge& edge) const {
    Step step = {.from = edge.from, .to = edge.to, .relation = edge.relation};
    if (edge.key.is_none()) {
      return step;
    }
    step.key = edge.key;
    const bool is_read = edge.relation == Relation::kRw;
    const NamedOp from =
        is_read ? read(edge.from, edge.key, edge.overwritten) : last_write(edge.from, edge.key);
    const NamedOp to = edge.relation == Relation::kWr ? read_from(edge.to, edge.key, edge.from)
                       : is_list_                     ? first_write(edge.to, edge.key)
                                                      : last_write(edge.to, edge.key);
    step.from_mop = from.mop;
    step.to_mop = to.mop;
    step.value = is_read && edge.overwritten.is_none() ? ValueId::none() : from.version;
    step.value_after = edge.relation == Relation::kWr ? ValueId::none() : to.version;
    return step;
  }

 private:
  /// Whether the result of the read is known. A nil in an uncommitted transaction stands for an
  /// unknown result.
  [[nodiscard]] bool is_answered(TxnId txn, Op op) const {
    return op.is_read() &&
           (history_.committed(txn) || op.kind() == OpKind::kReadList || !op.value().is_nil());
  }

  /// Whether the version is what `writer` left behind.
  [[nodiscard]] bool is_of(TxnId writer, KeyId key, ValueId version) const {
    if (!writer.is_none()) {
      return version == last_write(writer, key).version;
    }
    return is_list_ ? version.is_none() : history_.is_initial(version);
  }

  [[nodiscard]] OpKind write_kind() const { return is_list_ ? OpKind::kAppend : OpKind::kWrite; }

  [[nodiscard]] NamedOp first_write(TxnId txn, KeyId key) const {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].key() == key && ops[i].kind() == write_kind()) {
        return {static_cast<std::int32_t>(i), ops[i].value()};
      }
    }
    return {};
  }

  [[nodiscard]] NamedOp last_write(TxnId txn, KeyId key) const {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::size_t i = ops.size(); i-- > 0;) {
      if (ops[i].key() == key && ops[i].kind() == write_kind()) {
        return {static_cast<std::int32_t>(i), ops[i].value()};
      }
    }
    return {};
  }

  /// The first read that shows a version for which `is_such` holds.
  template <class Predicate>
  [[nodiscard]] NamedOp first_read(TxnId txn, KeyId key, Predicate is_such) const {
    const std::span<const Op> ops = history_.ops(txn);
    std::vector<ValueId> own;
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].key() != key) {
        continue;
      }
      if (ops[i].kind() == OpKind::kAppend) {
        own.push_back(ops[i].value());
      }
      const auto version = is_answered(txn, ops[i]) ? version_of(ops[i], own) : std::nullopt;
      if (version && is_such(*version)) {
        return {static_cast<std::int32_t>(i), *version};
      }
    }
    return {};
  }

  /// A register's value, or the last element of a list before the reader's own ones; none() if
  /// there is none. Nothing if a list does not end in the reader's own elements.
  [[nodiscard]] std::optional<ValueId> version_of(Op read, std::span<const ValueId> own) const {
    if (!is_list_) {
      return read.value();
    }
    const std::span<const ValueId> list = shown_list(history_, read);
    if (list.size() < own.size() || !std::ranges::equal(list.last(own.size()), own)) {
      return std::nullopt;
    }
    return list.size() == own.size() ? ValueId::none() : list[list.size() - own.size() - 1];
  }

  /// The first read of the version that `writer` left. In a list without such a read, the first
  /// read of any version. In a list that the transaction does not read, its append, which builds on
  /// the version before.
  [[nodiscard]] NamedOp read(TxnId txn, KeyId key, TxnId writer) const {
    NamedOp found =
        first_read(txn, key, [&](ValueId version) { return is_of(writer, key, version); });
    if (found.mop < 0 && is_list_) {
      found = first_read(txn, key, [](ValueId) { return true; });
    }
    return found.mop < 0 && is_list_ ? first_write(txn, key) : found;
  }

  /// As read(), but falls back to any read of the key. If versions follow sessions or real time, a
  /// transaction that read after another reader may have read a later version.
  [[nodiscard]] NamedOp read_from(TxnId txn, KeyId key, TxnId writer) const {
    const NamedOp found = read(txn, key, writer);
    return found.mop >= 0 ? found : first_read(txn, key, [](ValueId) { return true; });
  }

  const History& history_;
  bool is_list_;
};

/// Whether one edge of session order, or of real time, implies what both edges say. Edges that
/// order operations on one key do not join.
bool are_one_order(const OrderEdge& edge, const OrderEdge& next) {
  const bool is_order = edge.relation == Relation::kProcess || edge.relation == Relation::kRealtime;
  return is_order && edge.relation == next.relation && edge.key == KeyId() && next.key == KeyId();
}

}  // namespace

void join_orders(std::vector<OrderEdge>& cycle) {
  std::vector<OrderEdge> joined;
  for (const OrderEdge& edge : cycle) {
    if (!joined.empty() && are_one_order(joined.back(), edge)) {
      joined.back().to = edge.to;
    } else {
      joined.push_back(edge);
    }
  }
  if (joined.size() > 1 && are_one_order(joined.back(), joined.front())) {
    joined.front().from = joined.back().from;
    joined.pop_back();
  }
  cycle = std::move(joined);
}

std::vector<Step> steps_of(const History& history, std::span<const OrderEdge> cycle) {
  const StepMaker maker(history);
  std::vector<Step> steps;
  steps.reserve(cycle.size());
  for (const OrderEdge& edge : cycle) {
    steps.push_back(maker.make(edge));
  }
  return steps;
}

}  // namespace elapid
