// The end of building: everything that depends on all events.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/ir/history_builder.h"

namespace elapid {

/// Sessions with names get numbers below those of all others, and below 0.
void HistoryBuilder::finish_names() {
  std::vector<std::int64_t>& numbers = history_.session_names_;
  const auto has_name = [this](std::size_t s) {
    return history_.given_names_.contains(static_cast<std::uint32_t>(s));
  };
  std::int64_t next = 0;
  for (std::size_t s = 0; s < numbers.size(); ++s) {
    next = has_name(s) ? next : std::min(next, numbers[s]);
  }
  next -= static_cast<std::int64_t>(history_.given_names_.size());
  for (std::size_t s = 0; s < numbers.size(); ++s) {
    numbers[s] = has_name(s) ? next++ : numbers[s];
  }
}

/// Groups transactions by session, in the order of their numbers.
void HistoryBuilder::finish_sessions() {
  std::vector<std::uint32_t>& begin = history_.session_begin_;
  begin.assign(history_.session_count() + 1, 0);
  for (const SessionId session : history_.session_) {
    ++begin[session.index() + 1];
  }
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  history_.session_txns_.resize(history_.txn_count());
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  for (std::uint32_t txn = 0; txn < txn_count(); ++txn) {
    history_.session_txns_[next[history_.session_[txn].index()]++] = TxnId{txn};
  }
}

void HistoryBuilder::finish_keys() {
  std::vector<KeyId>& keys = history_.keys_by_value_;
  keys.resize(history_.key_count());
  for (std::uint32_t key = 0; key < keys.size(); ++key) {
    keys[key] = {key};
  }
  std::sort(keys.begin(), keys.end(),
            [this](KeyId a, KeyId b) { return history_.key_value(a) < history_.key_value(b); });
}

void HistoryBuilder::finish_lists() {
  const auto flatten = [](const std::vector<std::vector<ValueId>>& lists, std::size_t count,
                          std::vector<std::uint32_t>& begin, std::vector<ValueId>& elements) {
    begin.assign(1, 0);
    begin.reserve(count + 1);
    std::size_t size = 0;
    for (const std::vector<ValueId>& list : lists) {
      size += list.size();
    }
    elements.reserve(size);
    for (std::size_t i = 0; i < count; ++i) {
      if (i < lists.size()) {
        elements.insert(elements.end(), lists[i].begin(), lists[i].end());
      }
      begin.push_back(static_cast<std::uint32_t>(elements.size()));
    }
  };
  flatten(lists_.trunks(), history_.key_count(), history_.trunk_begin_, history_.trunk_elements_);
  flatten(lists_.branches(), lists_.branches().size(), history_.branch_begin_,
          history_.branch_elements_);
  for (const ListStore::Literal& literal : lists_.literals()) {
    history_.literals_.push_back({literal.branch, literal.length});
  }
}

/// Gives transactions that came whole the events that their times tell. What completes before
/// another begins comes first. A completion and an invocation at one time are concurrent. False if
/// some transaction lacks a time.
bool HistoryBuilder::order_events_by_time() {
  if (!any_transaction_ || !all_timed_ || history_.first_time_.empty()) {
    return false;
  }

  struct Moment {
    std::int64_t time;
    bool is_completion;
    std::uint32_t txn;
  };

  std::vector<Moment> moments;
  moments.reserve(history_.txn_count() * 2);
  for (std::uint32_t txn = 0; txn < txn_count(); ++txn) {
    const Event completion = history_.event({txn}, EventKind::kCompletion);
    moments.push_back({history_.first_time_[txn], false, txn});
    moments.push_back({*completion.time, true, txn});
  }
  std::sort(moments.begin(), moments.end(), [](const Moment& a, const Moment& b) {
    return std::tie(a.time, a.is_completion, a.txn) < std::tie(b.time, b.is_completion, b.txn);
  });
  for (std::uint32_t place = 0; place < moments.size(); ++place) {
    const Moment& moment = moments[place];
    (moment.is_completion ? history_.completion_ : history_.invocation_)[moment.txn] = {place};
  }
  return true;
}

/// Whether events tell when some transaction began. Without any beginning, completions order
/// nothing.
bool HistoryBuilder::knows_beginnings() const {
  const std::vector<EventId>& invocations = history_.invocation_;
  return invocations.empty() ||
         std::ranges::any_of(invocations, [](EventId id) { return !id.is_none(); });
}

/// By key: whether some transaction writes this value.
std::vector<bool> HistoryBuilder::keys_written_with(ValueId value) const {
  std::vector<bool> is_written(history_.key_count(), false);
  for (const Op op : history_.ops_) {
    if (op.kind() == OpKind::kWrite && op.value() == value) {
      is_written[op.key().index()] = true;
    }
  }
  return is_written;
}

/// BuilderOptions::read_as_initial.
void HistoryBuilder::find_initial_reads() {
  const ValueId value = *options_.read_as_initial;
  const std::vector<bool> is_written = keys_written_with(value);
  for (Op& op : history_.ops_) {
    if (op.kind() == OpKind::kRead && op.value() == value && !is_written[op.key().index()]) {
      op = Op(OpKind::kRead, op.key(), ValueId::nil());
    }
  }
}

/// Whether some read shows this value in a key to which no transaction writes it.
bool HistoryBuilder::is_read_unwritten(ValueId value) const {
  const std::vector<bool> is_written = keys_written_with(value);
  return std::any_of(history_.ops_.begin(), history_.ops_.end(), [&](Op op) {
    return op.kind() == OpKind::kRead && op.value() == value && !is_written[op.key().index()];
  });
}

/// Whether such a first transaction, which writes `value` to so many keys, is the initial state.
bool is_initial(FirstTxn rule, ValueId value, std::size_t keys) {
  switch (rule) {
    case FirstTxn::kOrdinary:
      return false;
    case FirstTxn::kMarked:
      return keys > 1 || value == ValueId::integer(0);
    case FirstTxn::kZeros:
      return value == ValueId::integer(0);
    case FirstTxn::kZerosOrOnes:
      return value == ValueId::integer(0) || (keys > 1 && value == ValueId::integer(1));
  }
  return false;
}

/// BuilderOptions::first_txn.
void HistoryBuilder::find_initial_txn(HistoryInfo& info) const {
  if (txn_count() < 2 || history_.ops({0}).empty() ||
      history_.session_txns({history_.session_[0]}).size() != 1 || !history_.committed({0})) {
    return;
  }
  const std::span<const Op> ops = history_.ops({0});
  std::vector<bool> is_written(history_.key_count(), false);
  for (const Op op : ops) {
    if (op.kind() != OpKind::kWrite || is_written[op.key().index()] ||
        op.value() != ops.front().value()) {
      return;
    }
    is_written[op.key().index()] = true;
  }
  if (is_initial(options_.first_txn, ops.front().value(), ops.size()) &&
      ops.size() == history_.key_count() && !is_read_unwritten(info.initial)) {
    info.initial_txn = {0};
    info.initial = ValueId::none();
    info.is_initial_txn_assumed = options_.first_txn != FirstTxn::kMarked;
    info.assumptions.emplace_back(
        "The first transaction, alone in its session, writes one value to every key: it is taken "
        "as the initial state, and comes before all others.");
  }
}

Workload HistoryBuilder::workload_of_operations() const {
  const bool has_lists = std::ranges::any_of(history_.all_ops(), [](Op op) {
    return op.kind() == OpKind::kAppend || op.kind() == OpKind::kReadList;
  });
  return has_lists ? Workload::kListAppend : Workload::kRwRegister;
}

Result<History> HistoryBuilder::build(HistoryInfo info) && {
  if (Status status = check_room({}, 0); !status.ok()) {
    return Error{.message = std::move(status.error().message)};
  }
  finish_names();
  for (std::uint32_t s = 0; s < history_.session_count(); ++s) {
    if (!open_[s].id.is_none()) {
      close_unanswered({s}, {});
    }
  }
  if (options_.sorts_sessions && any_transaction_ && !history_.first_time_.empty()) {
    sort_sessions();
  }
  info.remarks = std::move(history_.info_.remarks);
  std::stable_sort(info.remarks.begin(), info.remarks.end(), [](const Remark& a, const Remark& b) {
    return std::tie(a.position.file, a.position.offset) <
           std::tie(b.position.file, b.position.offset);
  });
  info.event_count = events_;
  if (nemesis_) {
    info.nemesis = std::move(nemesis_);
  }
  info.has_process = any_process_ || any_transaction_;
  info.has_real_time =
      any_transaction_ ? info.has_real_time && order_events_by_time() : knows_beginnings();
  info.is_session_trace = any_transaction_;
  if (options_.read_as_initial) {
    find_initial_reads();
  }
  finish_sessions();
  if (options_.first_txn != FirstTxn::kOrdinary) {
    find_initial_txn(info);
  }
  if (!info.workload) {
    info.workload = workload_of_operations();
  }
  history_.info_ = std::move(info);
  finish_keys();
  finish_lists();
  return std::move(history_);
}

}  // namespace elapid
