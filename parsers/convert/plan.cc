#include "parsers/convert/plan.h"

#include <algorithm>
#include <array>

#include "engine/ir/empty_values.h"
#include "engine/rows/rows.h"

namespace elapid {

namespace {

/// Whether the name is a string of letters, digits and underscores.
bool is_word(const ValuePool& pool, ValueId name) {
  const std::string text = pool.text(name);
  const auto is_part = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return text.size() > 2 && text.front() == '"' && text.back() == '"' &&
         std::all_of(text.begin() + 1, text.end() - 1, is_part);
}

}  // namespace

Plan::Plan(const History& history, Workload workload, const Target& target)
    : history_(&history), target_(&target), workload_(workload), written_(history) {}

Result<Plan> Plan::make(const History& history, Workload workload, const Target& target,
                        PlanSource source) {
  Plan plan(history, workload, target);
  plan.source_ = std::move(source);
  ELAPID_RETURN_IF_ERROR(plan.check_workload());
  plan.choose_statuses();
  plan.renames_empty_ = plan.must_rename_empty();
  plan.find_initial_state();
  plan.number_sessions();
  plan.choose_txns();
  ELAPID_RETURN_IF_ERROR(plan.check_rest());
  ELAPID_RETURN_IF_ERROR(plan.number_values());
  plan.count_losses();
  if (workload == Workload::kRows && target.plan_rows != nullptr) {
    ELAPID_RETURN_IF_ERROR(target.plan_rows(plan, plan.losses_));
  }
  return plan;
}

Status Plan::check_rows() const {
  const std::string format = text(*target_);
  if (!target_->rows) {
    return usage_error(format + " holds no rows and predicates");
  }
  return {};
}

Status Plan::check_workload() const {
  const std::string format = text(*target_);
  if (workload_ == Workload::kRows) {
    return check_rows();
  }
  if (target_->rows && !target_->registers) {
    return usage_error(format + " holds rows, and this is a history of " +
                       std::string(workload_.name()));
  }
  if (copies_values()) {
    // JSON's polls have texts as keys, which only readers of JSON know to be the keys of sends.
    const bool is_json = history_->info().format.starts_with("json");
    return workload_.name() == "kafka" && is_json && !target_->json_types
               ? usage_error(format + " cannot be written from JSON: there keys of polls are texts")
               : Status();
  }
  if (workload_ == Workload::kOther || !workload_.has_transactions()) {
    return usage_error("its operations are neither those of lists nor of registers: " + format +
                       " cannot be written");
  }
  if (workload_ != Workload::kListAppend && !target_->registers) {
    return usage_error(format + " holds lists only, and this is a history of registers");
  }
  const auto is_other = [](Op op) { return op.kind() == OpKind::kOther; };
  if (std::ranges::any_of(history_->all_ops(), is_other)) {
    return usage_error("some of its operations are neither reads nor writes: " + format +
                       " cannot be written");
  }
  return {};
}

/// Refuses a history of which the format can hold no transaction: the output would be none.
Status Plan::check_rest() const {
  const bool holds_any = std::ranges::any_of(txns_, [&](const PlannedTxn& txn) {
    const bool is_held =
        txn.status != TxnStatus::kAborted || target_->aborted || target_->aborted_writes;
    return !txn.txn.is_none() && is_held;
  });
  return holds_any || history_->txn_count() == 0
             ? Status()
             : usage_error("none of its transactions can be written as " + text(*target_));
}

bool Plan::copies_values() const {
  const bool has_calls = workload_ != Workload::kOther && !workload_.has_transactions();
  return has_calls && target_->copies_values && source_.details;
}

bool Plan::keeps_initial_txn() const {
  return target_->initial == InitialForm::kWritten && !history_->info().initial_txn.is_none();
}

bool Plan::is_multi_register() const {
  return workload_.name() == "multi-register";
}

/// To multi-register a read of nil shows nothing, and Jepsen's formats keep the workload. To
/// cas-register neither, if another value is the initial one.
NilReads Plan::nil_reads() const {
  if (is_multi_register()) {
    return target_->keeps_extras ? NilReads::kStayOpen : NilReads::kAnything;
  }
  return workload_ == Workload::kCasRegister && names_initial() ? NilReads::kAnything
                                                                : NilReads::kInitial;
}

/// Whether the source is a queue's in JSON, where "empty" says what `:empty` says elsewhere.
bool Plan::must_rename_empty() const {
  constexpr std::array<std::string_view, 6> kQueues = {
      "fifo-queue", "unordered-queue", "stack", "priority-queue", "queue", "total-queue"};
  return !target_->json_types && std::ranges::find(kQueues, workload_.name()) != kQueues.end() &&
         EmptyValues(*history_).contains(history_->values().find(EmptyValues::kInJson));
}

/// Whether the source names another initial value than nil.
bool Plan::names_initial() const {
  const ValueId initial = history_->info().initial;
  return !initial.is_none() && !initial.is_nil();
}

/// Finds the name of the initial state, from reads and writes. The initial state of lists is no
/// value.
void Plan::find_initial_state() {
  initial_ = InitialState(*history_, target_->initial != InitialForm::kWritten, nil_reads());
  const bool has_registers = workload_ != Workload::kListAppend;
  OwnWrites own(has_registers ? history_->key_count() : 0);
  for (TxnId txn{0}; has_registers && txn.index() < history_->txn_count(); ++txn.value) {
    if (is_kept_[txn.index()] && history_->status(txn) != TxnStatus::kAborted) {
      note_initial_state(txn, own);
    }
  }
  initial_.decide(*target_);
}

/// Notes reads and writes of the initial value. A read of the transaction's own value tells
/// nothing. A read of another value counts, since weak levels do not constrain reads of own writes.
void Plan::note_initial_state(TxnId txn, OwnWrites& own) {
  const auto note_write = [&](Op op) {
    if (op.kind() == OpKind::kWrite) {
      initial_.note_write(op.key(), op.value());
      own[op.key().index()] = {txn, op.value()};
    }
  };
  for (const Op op : history_->ops(txn)) {
    note_write(op);
    if (op.kind() == OpKind::kRead && history_->committed(txn) &&
        own[op.key().index()] != std::pair(txn, op.value())) {
      initial_.note_read(op.key(), op.value());
    }
  }
  if (!history_->committed(txn)) {
    std::ranges::for_each(history_->differing_invocation(txn).value_or(std::span<const Op>()),
                          note_write);
  }
}

std::optional<ValueId> Plan::declared_initial() const {
  const bool is_declared =
      copies_values() ? names_initial() && target_->declares_initial : initial_.is_declared();
  return is_declared ? std::optional(history_->info().initial) : std::nullopt;
}

/// Whether an operation of a kept transaction is written.
bool Plan::is_written(TxnId txn, Op op) const {
  const TxnStatus source = history_->status(txn);
  if (op.is_write() || target_->indeterminate) {
    return true;
  }
  if (source == TxnStatus::kIndeterminate) {
    return false;  // the result of its read is unknown
  }
  if (source == TxnStatus::kAborted) {
    const bool is_known =
        op.kind() == OpKind::kReadList || !op.value().is_nil() || history_->info().is_session_trace;
    return target_->aborted && is_known;
  }
  return true;
}

PlannedOp Plan::planned(Op op, std::size_t place) const {
  PlannedOp out{.kind = op.kind(), .key = op.key()};
  if (op.kind() == OpKind::kRow) {
    out.value = op.value();
    return out;
  }
  out.key_number = target_->keys.is_text() ? 0 : keys_.number(history_->key_value(op.key()));
  if (op.kind() == OpKind::kReadList) {
    out.elements = history_->elements(op);
    out.is_initial = out.elements.empty();
    if (target_->lists) {
      return out;
    }
    out.kind = OpKind::kRead;
    out.value = out.elements.empty() ? ValueId::nil() : out.elements.back();
    out.elements = {};
  } else {
    out.value = op.value();
    out.is_initial =
        op.kind() == OpKind::kRead
            ? initial_.is_initial_read(op.key(), op.value())
            : op.kind() == OpKind::kWrite && initial_.is_initial_write(op.key(), op.value());
  }
  if (op.kind() == OpKind::kAppend && !target_->lists) {
    out.kind = OpKind::kWrite;
  }
  if (!target_->values.is_text() && !out.is_initial) {
    out.value_number = number_of(out, place);
  }
  return out;
}

/// The number of a value: that of its write, if writes have numbers of their own.
std::int64_t Plan::number_of(const PlannedOp& op, std::size_t place) const {
  if (write_numbers_.empty()) {
    return values_.number(op.value);
  }
  if (op.kind != OpKind::kRead) {
    const auto own = write_numbers_.find(static_cast<std::uint32_t>(place));
    return own == write_numbers_.end() ? values_.number(op.value) : own->second;
  }
  for (const WrittenValues::Write& write : written_.find(op.key, op.value)) {
    if (const auto own = write_numbers_.find(write.op); own != write_numbers_.end()) {
      return own->second;
    }
  }
  return values_.number(op.value);
}

void Plan::ops(const PlannedTxn& txn, std::vector<PlannedOp>& out) const {
  out.clear();
  if (txn.txn.is_none()) {
    for (KeyId key{0}; key.index() < history_->key_count(); ++key.value) {
      out.push_back({.kind = OpKind::kWrite,
                     .key = key,
                     .is_initial = true,
                     .key_number = keys_.number(history_->key_value(key))});
    }
    return;
  }
  std::size_t place = history_->first_op(txn.txn);
  for (const Op op : history_->ops(txn.txn)) {
    if (is_written(txn.txn, op)) {
      out.push_back(planned(op, place));
    }
    ++place;
  }
}

void Plan::invoked_ops(std::span<const Op> invoked, std::vector<PlannedOp>& out) const {
  out.clear();
  for (const Op op : invoked) {
    out.push_back(planned(op, 0));
  }
}

/// Numbers the sessions; keeps their names if the format has names.
void Plan::number_sessions() {
  const HistoryInfo& info = history_->info();
  makes_initial_txn_ = target_->initial == InitialForm::kWritten && !info.initial.is_none() &&
                       history_->key_count() > 0;
  const std::int64_t first = target_->first_session + (makes_initial_txn_ ? 1 : 0);
  sessions_.resize(history_->session_count());
  for (SessionId session{0}; session.index() < sessions_.size(); ++session.value) {
    sessions_[session.index()] = history_->session_name(session);
    renumbers_sessions_ =
        renumbers_sessions_ || (history_->session_name(session) < first && is_named(session));
  }
  if (renumbers_sessions_) {
    for (std::size_t i = 0; i < sessions_.size(); ++i) {
      sessions_[i] = first + static_cast<std::int64_t>(i);
    }
  }
}

/// Whether the session's name is written. A session of transactions that keep only their writes has
/// none.
bool Plan::is_named(SessionId session) const {
  return std::ranges::any_of(history_->session_txns(session), [this](TxnId txn) {
    if (target_->contents_apart && is_contents(txn)) {
      return false;
    }
    if (status_[txn.index()] == TxnStatus::kAborted) {
      return target_->aborted || target_->aborted_ids;
    }
    return bool{is_kept_[txn.index()]};
  });
}

void Plan::choose_txns() {
  if (makes_initial_txn_) {
    txns_.push_back({.session = target_->first_session});
  }
  std::vector<std::uint32_t> places(history_->session_count(), 0);
  const auto add = [&](TxnId txn) {
    const SessionId session = history_->session(txn);
    if (is_kept_[txn.index()]) {
      txns_.push_back({.txn = txn,
                       .session = sessions_[session.index()],
                       .place = places[session.index()]++,
                       .status = status_[txn.index()]});
    }
  };
  if (!target_->by_session) {
    for (TxnId txn{0}; txn.index() < history_->txn_count(); ++txn.value) {
      add(txn);
    }
    put_aborted_last();
  } else {
    for (SessionId session{0}; session.index() < history_->session_count(); ++session.value) {
      std::ranges::for_each(history_->session_txns(session), add);
    }
  }
  avoid_initial_look();
}

/// Puts aborted transactions last: without their names, readers do not know their places.
void Plan::put_aborted_last() {
  if (target_->aborted_writes) {
    std::ranges::stable_partition(
        txns_, [](const PlannedTxn& txn) { return txn.status != TxnStatus::kAborted; });
  }
}

/// The number of keys with a written operation.
std::size_t Plan::count_planned_keys() const {
  std::vector<bool> is_planned(history_->key_count(), false);
  std::vector<PlannedOp> ops;
  for (const PlannedTxn& txn : txns_) {
    this->ops(txn, ops);
    for (const PlannedOp& op : ops) {
      is_planned[op.key.index()] = true;
    }
  }
  return static_cast<std::size_t>(std::ranges::count(is_planned, true));
}

/// Whether readers could take the transaction, alone in its session, for the initial state: it
/// writes each of `keys` keys once and reads nothing. If the format writes session by session,
/// readers also expect initial values.
bool Plan::looks_initial(const PlannedTxn& txn, std::size_t keys) const {
  if (txn.status != TxnStatus::kCommitted) {
    return false;
  }
  std::vector<PlannedOp> ops;
  this->ops(txn, ops);
  std::unordered_set<KeyId> written;
  const bool writes_once = std::ranges::all_of(ops, [&](const PlannedOp& op) {
    return op.kind == OpKind::kWrite && written.insert(op.key).second &&
           (op.is_initial || !target_->by_session);
  });
  return writes_once && ops.size() == keys;
}

/// Puts another transaction, or session, before one that looks like the initial state. The order
/// between sessions has no meaning. If all look like that, no transaction reads, so a wrong guess
/// is harmless.
void Plan::avoid_initial_look() {
  if (!target_->guesses_initial_txn || makes_initial_txn_ || keeps_initial_txn() || txns_.empty()) {
    return;
  }
  std::unordered_map<std::int64_t, std::ptrdiff_t> sizes;
  for (const PlannedTxn& txn : txns_) {
    ++sizes[txn.session];
  }
  const std::size_t keys = count_planned_keys();
  const auto other = std::ranges::find_if(txns_, [&](const PlannedTxn& txn) {
    return txn.place == 0 && (sizes[txn.session] > 1 || !looks_initial(txn, keys));
  });
  if (other != txns_.end()) {
    std::rotate(txns_.begin(), other, other + (target_->by_session ? sizes[other->session] : 1));
  }
}

std::vector<PlannedSession> Plan::sessions() const {
  std::vector<PlannedSession> sessions;
  for (std::size_t begin = 0, end = 0; begin < txns_.size(); begin = end) {
    while (end < txns_.size() && txns_[end].session == txns_[begin].session) {
      ++end;
    }
    sessions.push_back({txns_[begin].session, std::span(txns_).subspan(begin, end - begin)});
  }
  return sessions;
}

/// The written values in order, with repetitions, without the initial state. Formats of single
/// operations tell what a compare-and-set expected, whatever its outcome.
std::vector<ValueId> Plan::used_values() const {
  std::vector<ValueId> used;
  std::vector<PlannedOp> ops;
  const auto add = [&] {
    for (const PlannedOp& op : ops) {
      if (op.kind == OpKind::kReadList) {
        used.insert(used.end(), op.elements.begin(), op.elements.end());
      } else if (!op.is_initial) {
        used.push_back(op.value);
      }
    }
  };
  for (const PlannedTxn& txn : txns_) {
    this->ops(txn, ops);
    add();
    const auto invoked =
        target_->one_register ? history_->differing_invocation(txn.txn) : std::nullopt;
    if (invoked) {
      invoked_ops(*invoked, ops);
      add();
    }
  }
  return used;
}

/// Numbers that cannot stand for values.
std::span<const std::int64_t> Plan::reserved_numbers(bool zero_is_taken) const {
  static constexpr std::array<std::int64_t, 1> kZero = {0};
  if (!target_->reserved.empty()) {
    return target_->reserved;
  }
  return zero_is_taken ? std::span<const std::int64_t>(kZero) : std::span<const std::int64_t>();
}

/// Numbers the keys of rows and the names of columns. Values stay as they are.
void Plan::number_rows() {
  const rows::Rows& rows = *history_->info().rows;
  std::vector<ValueId> keys;
  for (KeyId key{0}; key.index() < history_->key_count(); ++key.value) {
    if (rows.is_row(key)) {
      keys.push_back(history_->key_value(key));
    }
  }
  keys_ = Numbering(history_->values(), keys, target_->keys, {}, false);
  if (target_->rows_are_values) {
    return;
  }
  std::vector<ValueId> columns;
  for (rows::ColumnId column{0}; column.index() < rows.column_count(); ++column.value) {
    const ValueId name = rows.column_name(column);
    columns.push_back(name.is_none() ? ValueId::nil() : name);
  }
  columns_ = Numbering(history_->values(), columns, target_->keys, {}, false);
}

Status Plan::number_values() {
  const ValuePool& pool = history_->values();
  if (workload_ == Workload::kRows) {
    if (!target_->keys.is_text()) {
      number_rows();
    }
    return {};
  }
  if (!target_->keys.is_text()) {
    std::vector<ValueId> names(history_->key_count());
    for (KeyId key{0}; key.index() < names.size(); ++key.value) {
      names[key.index()] = history_->key_value(key);
    }
    keys_ = Numbering(pool, names, target_->keys, {}, false);
    keeps_key_names_ = target_->has_key_names &&
                       std::ranges::all_of(names, [&](ValueId key) { return is_word(pool, key); });
  }
  if (target_->values.is_text()) {
    return target_->repeats ? Status() : refuse_repeats_read();
  }
  const std::vector<ValueId> used = used_values();
  const bool zero_is_taken =
      makes_initial_txn_ || (target_->zero_is_initial && !keeps_initial_txn());
  const bool moved = zero_is_taken && std::ranges::find(used, ValueId::integer(0)) != used.end();
  values_ = Numbering(pool, used, target_->values, reserved_numbers(zero_is_taken), moved);
  return number_repeats();
}

}  // namespace elapid
