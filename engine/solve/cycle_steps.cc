#include "engine/solve/cycle_steps.h"

#include "engine/solve/footprints.h"

namespace elapid {

namespace {

/// An operation of a transaction and the version that it wrote or read.
struct Named {
  std::int32_t mop = -1;
  ValueId version = ValueId::none();
};

class StepMaker {
 public:
  StepMaker(const History& history, DataModel data_model)
      : history_(history), is_list_(data_model == DataModel::kListAppend) {}

  [[nodiscard]] Step make(const OrderEdge& edge) const {
    Step step = {.from = edge.from, .to = edge.to, .relation = edge.relation};
    if (edge.relation == Relation::kProcess || edge.relation == Relation::kRealtime) {
      return step;
    }
    step.key = edge.key;
    const bool is_read = edge.relation == Relation::kRw;
    const Named from =
        is_read ? read(edge.from, edge.key, edge.overwritten) : last_write(edge.from, edge.key);
    const Named to = edge.relation == Relation::kWr ? read(edge.to, edge.key, edge.from)
                     : is_list_                     ? first_write(edge.to, edge.key)
                                                    : last_write(edge.to, edge.key);
    step.from_mop = from.mop;
    step.to_mop = to.mop;
    step.value = is_read && edge.overwritten.is_none() ? ValueId::none() : from.version;
    step.value_after = edge.relation == Relation::kWr ? ValueId::none() : to.version;
    return step;
  }

 private:
  [[nodiscard]] bool may_show(Op read, TxnId writer) const {
    if (is_list_ || read.kind() == OpKind::kReadList) {
      return true;
    }
    return writer.is_none() ? read.value().is_nil() || read.value() == history_.info().initial
                            : read.value() == last_write(writer, read.key()).version;
  }

  [[nodiscard]] OpKind write_kind() const { return is_list_ ? OpKind::kAppend : OpKind::kWrite; }

  [[nodiscard]] Named first_write(TxnId txn, KeyId key) const {
    const std::span<const Op> ops = Footprints::ops(history_, txn);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].key() == key && ops[i].kind() == write_kind()) {
        return {static_cast<std::int32_t>(i), ops[i].value()};
      }
    }
    return {};
  }

  [[nodiscard]] Named last_write(TxnId txn, KeyId key) const {
    const std::span<const Op> ops = Footprints::ops(history_, txn);
    for (std::size_t i = ops.size(); i-- > 0;) {
      if (ops[i].key() == key && ops[i].kind() == write_kind()) {
        return {static_cast<std::int32_t>(i), ops[i].value()};
      }
    }
    return {};
  }

  /// The first read, of a register that of what `writer` left behind; or, of a list that was
  /// appended to unread, the append, which builds on the version before.
  [[nodiscard]] Named read(TxnId txn, KeyId key, TxnId writer) const {
    const std::span<const Op> ops = Footprints::ops(history_, txn);
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (ops[i].key() == key && ops[i].is_read() && may_show(ops[i], writer)) {
        const bool is_list = ops[i].kind() == OpKind::kReadList;
        const std::span<const ValueId> list =
            is_list ? history_.elements(ops[i]) : std::span<const ValueId>();
        return {static_cast<std::int32_t>(i), !is_list_      ? ops[i].value()
                                              : list.empty() ? ValueId::none()
                                                             : list.back()};
      }
    }
    return first_write(txn, key);
  }

  const History& history_;
  bool is_list_;
};

}  // namespace

std::vector<Step> steps_of(const History& history, DataModel data_model,
                           std::span<const OrderEdge> cycle) {
  const StepMaker maker(history, data_model);
  std::vector<Step> steps;
  steps.reserve(cycle.size());
  for (const OrderEdge& edge : cycle) {
    steps.push_back(maker.make(edge));
  }
  return steps;
}

}  // namespace elapid
