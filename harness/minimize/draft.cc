#include "harness/minimize/draft.h"

#include <functional>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "engine/ir/history_builder.h"
#include "harness/minimize/draft_events.h"

namespace elapid {

namespace {

DraftMop draft_mop(const History& history, Op op) {
  if (op.kind() == OpKind::kReadList) {
    const std::span<const ValueId> elements = history.elements(op);
    return {.kind = op.kind(), .key = op.key(), .elements = {elements.begin(), elements.end()}};
  }
  if (op.kind() == OpKind::kRow) {
    return {.kind = op.kind(),
            .key = op.key(),
            .row_op = std::make_shared<const DraftRowOp>(draft_row_op(history, op))};
  }
  return {.kind = op.kind(), .key = op.key(), .value = op.value()};
}

std::vector<DraftMop> draft_mops(const History& history, std::span<const Op> ops) {
  std::vector<DraftMop> mops;
  mops.reserve(ops.size());
  for (const Op op : ops) {
    mops.push_back(draft_mop(history, op));
  }
  return mops;
}

std::optional<DraftEnd> draft_end(const History& history, TxnId txn, EventKind kind) {
  const Event event = history.event(txn, kind);
  if (event.id.is_none()) {
    return std::nullopt;
  }
  DraftEnd end = {.place = event.id.value, .time = event.time, .position = event.position};
  if (!history.info().is_session_trace) {
    end.index = event.index;
  }
  return end;
}

DraftTxn draft_txn(const History& history, TxnId txn) {
  DraftTxn result = {.origin = txn,
                     .session = history.session_name(history.session(txn)),
                     .status = history.status(txn),
                     .level = std::string(history.levels().of(txn)),
                     .invocation = draft_end(history, txn, EventKind::kInvocation),
                     .completion = draft_end(history, txn, EventKind::kCompletion),
                     .start_timestamp = history.start_timestamp(txn),
                     .commit_timestamp = history.commit_timestamp(txn),
                     .mops = draft_mops(history, history.ops(txn))};
  // An indeterminate completion without operations counts as its invocation.
  const bool can_tell = history.status(txn) != TxnStatus::kIndeterminate || !result.mops.empty();
  if (const auto invoked = history.differing_invocation(txn); invoked && can_tell) {
    result.invoked = draft_mops(history, *invoked);
  }
  return result;
}

/// A hash of fields in order (Murmur3's finalizer after each field).
class Fingerprint {
 public:
  void add(std::uint64_t n) {
    state_ = (state_ ^ n) * 0xff51afd7ed558ccdU;
    state_ = (state_ ^ (state_ >> 33)) * 0xc4ceb9fe1a85ec53U;
    state_ ^= state_ >> 33;
  }

  void add(std::optional<std::int64_t> n) {
    add(n ? 1U : 0U);
    add(static_cast<std::uint64_t>(n.value_or(0)));
  }

  void add(std::string_view text) { add(std::uint64_t{std::hash<std::string_view>{}(text)}); }

  void add(const std::vector<DraftMop>& mops) {
    add(std::uint64_t{mops.size()});
    for (const DraftMop& mop : mops) {
      add(static_cast<std::uint64_t>(mop.kind) << 32 | mop.key.value);
      add(std::uint64_t{mop.value.bits()} << 32 | mop.elements.size());
      for (const ValueId element : mop.elements) {
        add(std::uint64_t{element.bits()});
      }
      if (mop.row_op) {
        add(*mop.row_op);
      }
    }
  }

  void add(const DraftRowOp& op) {
    add(static_cast<std::uint64_t>(op.kind) << 32 | static_cast<std::uint64_t>(op.known));
    add(std::uint64_t{op.row.value} << 32 | op.version.bits());
    add(std::uint64_t{op.first} << 32 | op.count);
    add(op.predicate);
    add(op.written);
    add(std::uint64_t{op.shown.size()});
    for (const DraftShownRow& shown : op.shown) {
      add(std::uint64_t{shown.row.value} << 32 | shown.version.bits());
      add(shown.fields);
    }
  }

  void add(const std::vector<rows::Field>& fields) {
    add(std::uint64_t{fields.size()});
    for (const rows::Field& field : fields) {
      add(std::uint64_t{field.column.value} << 32 | field.value.bits());
    }
  }

  void add(const rows::Predicate& predicate) {
    add(static_cast<std::uint64_t>(predicate.kind) << 32 | predicate.column.value);
    add(std::uint64_t{predicate.value.bits()});
    add(static_cast<std::uint64_t>(predicate.low));
    add(static_cast<std::uint64_t>(predicate.high));
    add(std::uint64_t{predicate.parts.size()});
    for (const rows::Predicate& part : predicate.parts) {
      add(part);
    }
  }

  void add(const std::optional<DraftEnd>& end) {
    add(end ? 1U : 0U);
    if (end) {
      add(static_cast<std::uint64_t>(end->place));
      add(end->index);
      add(end->time);
    }
  }

  void add(const DraftTxn& txn) {
    add(std::uint64_t{txn.origin.value});
    add(static_cast<std::uint64_t>(txn.session));
    add(static_cast<std::uint64_t>(txn.status));
    add(txn.invocation);
    add(txn.completion);
    add(txn.start_timestamp);
    add(txn.commit_timestamp);
    add(txn.mops);
    add(txn.invoked ? 1U : 0U);
    add(txn.invoked.value_or(std::vector<DraftMop>()));
  }

  [[nodiscard]] std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0x9e3779b97f4a7c15U;
};

/// Builds a history from a draft.
class DraftBuilder {
 public:
  explicit DraftBuilder(const Draft& draft)
      : draft_(draft), keys_(draft.key_names.size(), KeyId::none()) {
    if (draft.info.rows) {
      rows_.emplace(*draft.info.rows, builder_, [this](ValueId of) { return value(of); });
    }
  }

  Result<BuiltDraft> build() {
    const Status added = draft_.info.is_session_trace ? add_txns() : add_events();
    ELAPID_RETURN_IF_ERROR(added);
    if (rows_) {
      info_.rows = std::move(*rows_).build();
    }
    ELAPID_ASSIGN_OR_RETURN(History history, std::move(builder_).build(info_));
    BuiltDraft built = {.history = std::move(history), .origins = {}};
    for (std::uint32_t t = 0; t < built.history.txn_count(); ++t) {
      const TxnId txn = {t};
      const std::size_t at = draft_.info.is_session_trace
                                 ? t
                                 : txn_of_event_[built.history.representative(txn).id.index()];
      built.origins.push_back(draft_.txns[at]->origin);
    }
    return built;
  }

 private:
  ValueId value(ValueId of) {
    if (of.is_none() || of.is_nil() || of.is_integer()) {
      return of;
    }
    const auto [known, is_new] = values_.try_emplace(of, of);
    if (is_new) {
      const std::optional<std::int64_t> number = draft_.values->as_integer(of);
      known->second = number ? builder_.values().integer(*number)
                             : builder_.values().intern(draft_.values->text(of));
    }
    return known->second;
  }

  KeyId key(KeyId of) {
    if (of.is_none()) {
      return of;
    }
    KeyId& known = keys_[of.index()];
    if (known.is_none()) {
      known = builder_.key(builder_.values().intern(draft_.key_names[of.index()]));
    }
    return known;
  }

  Status set_mops(const std::vector<DraftMop>& mops, bool as_invoked = false) {
    mops_.clear();
    elements_.clear();
    for (const DraftMop& mop : mops) {
      if (mop.row_op) {
        ELAPID_ASSIGN_OR_RETURN(MopInput made,
                                rows_->add(as_invoked ? as_asked(*mop.row_op) : *mop.row_op));
        mops_.push_back(made);
        continue;
      }
      mops_.push_back({.kind = mop.kind,
                       .key = key(mop.key),
                       .value = value(mop.value),
                       .list_begin = static_cast<std::uint32_t>(elements_.size()),
                       .list_length = static_cast<std::uint32_t>(mop.elements.size())});
      for (const ValueId element : mop.elements) {
        elements_.push_back(value(element));
      }
    }
    return {};
  }

  /// Whether the read of a transaction is a condition, of a compare-and-set or the key of an
  /// addition: then the invocation has its value.
  [[nodiscard]] bool has_condition() const {
    const std::optional<Workload>& of = draft_.info.workload;
    const bool may_be = of && (*of == Workload::kCasRegister || of->name() == "sequential");
    return may_be && mops_.size() == 2 && mops_[0].kind == OpKind::kRead;
  }

  /// Sets the operations that are known at the invocation.
  Status set_invocation(const DraftTxn& txn) {
    ELAPID_RETURN_IF_ERROR(set_mops(txn.invoked.value_or(txn.mops), !txn.invoked));
    if (has_condition()) {
      mops_.front().is_condition = true;
      return {};
    }
    for (MopInput& mop : mops_) {
      if (!txn.invoked && (mop.kind == OpKind::kRead || mop.kind == OpKind::kReadList)) {
        mop = {.kind = OpKind::kRead, .key = mop.key};
      }
    }
    return {};
  }

  void begin_info() {
    info_ = draft_.info;
    info_.remarks.clear();
    info_.source_bytes = 0;
    info_.tombstones = 0;
    info_.predicates = 0;
    info_.initial = value(info_.initial);
    info_.f = value(info_.f);
    info_.initial_txn = TxnId::none();
  }

  Status add_txns() {
    begin_info();
    for (std::size_t t = 0; t < draft_.txns.size(); ++t) {
      const DraftTxn& txn = *draft_.txns[t];
      if (txn.origin == draft_.info.initial_txn) {
        info_.initial_txn = {static_cast<std::uint32_t>(t)};
      }
      ELAPID_RETURN_IF_ERROR(set_mops(txn.mops));
      TxnInput input = {.session = txn.session,
                        .status = txn.status,
                        .start_timestamp = txn.start_timestamp,
                        .commit_timestamp = txn.commit_timestamp,
                        .level = builder_.levels().number(txn.level),
                        .mops = mops_,
                        .elements = elements_};
      if (txn.invocation && txn.completion) {
        input.invocation_time = txn.invocation->time;
        input.completion_time = txn.completion->time;
        input.position = txn.invocation->position;
      }
      ELAPID_RETURN_IF_ERROR(builder_.add_transaction(input));
    }
    return {};
  }

  static EventType type_of(TxnStatus status) {
    switch (status) {
      case TxnStatus::kCommitted:
        return EventType::kOk;
      case TxnStatus::kAborted:
        return EventType::kFail;
      default:
        return EventType::kInfo;
    }
  }

  Status add_events() {
    begin_info();
    for (const DraftEvent& end : events_of(draft_)) {
      const DraftTxn& txn = *draft_.txns[end.txn];
      const DraftEnd& event = end.is_completion ? *txn.completion : *txn.invocation;
      ELAPID_RETURN_IF_ERROR(end.is_completion ? set_mops(txn.mops) : set_invocation(txn));
      const Status added =
          builder_.add_event({.type = end.is_completion ? type_of(txn.status) : EventType::kInvoke,
                              .process = txn.session,
                              .index = event.index,
                              .time = event.time,
                              .position = event.position,
                              .level = builder_.levels().number(txn.level),
                              .mops = mops_,
                              .elements = elements_});
      if (!added) {
        return added;
      }
      txn_of_event_.push_back(end.txn);
    }
    return {};
  }

  const Draft& draft_;
  HistoryBuilder builder_;
  HistoryInfo info_;
  std::optional<DraftRowsBuilder> rows_;  // of a draft of rows
  std::vector<KeyId> keys_;
  std::unordered_map<ValueId, ValueId> values_;
  std::vector<MopInput> mops_;
  std::vector<ValueId> elements_;
  std::vector<std::size_t> txn_of_event_;
};

}  // namespace

DraftTxn& Draft::edit(std::size_t txn) {
  auto own = std::make_shared<DraftTxn>(*txns[txn]);
  DraftTxn& result = *own;
  txns[txn] = std::move(own);
  return result;
}

std::size_t Draft::op_count() const {
  return std::accumulate(txns.begin(), txns.end(), std::size_t{0},
                         [](std::size_t sum, const auto& txn) { return sum + txn->mops.size(); });
}

std::uint64_t Draft::fingerprint() const {
  Fingerprint sum;
  sum.add(std::uint64_t{info.initial.bits()} << 32 | info.initial_txn.value);
  for (const std::string& name : key_names) {
    sum.add(std::string_view(name));
  }
  for (const auto& txn : txns) {
    sum.add(*txn);
  }
  return sum.state();
}

Draft draft_of(const History& history, std::span<const TxnId> txns) {
  Draft draft = {.values = &history.values(), .info = history.info()};
  draft.info.remarks.clear();
  const bool has_rows = history.info().rows != nullptr;
  for (std::uint32_t key = 0; !has_rows && key < history.key_count(); ++key) {
    draft.key_names.push_back(history.key_text({key}));
  }
  draft.txns.reserve(txns.size());
  for (const TxnId txn : txns) {
    draft.txns.push_back(std::make_shared<DraftTxn>(draft_txn(history, txn)));
  }
  return draft;
}

Draft draft_of(const History& history) {
  std::vector<TxnId> all(history.txn_count());
  for (std::uint32_t txn = 0; txn < all.size(); ++txn) {
    all[txn] = {txn};
  }
  return draft_of(history, all);
}

Result<BuiltDraft> build(const Draft& draft) {
  return DraftBuilder(draft).build();
}

}  // namespace elapid
