// The losses and additions of a plan; docs/conversion.md explains the letters.
#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "engine/ir/call.h"
#include "engine/rows/rows.h"
#include "parsers/convert/events.h"
#include "parsers/convert/plan.h"
#include "parsers/convert/planned_singles.h"

namespace elapid {

void Plan::lose(char letter, std::uint64_t count, std::string what, bool changes_verdict) {
  if (count > 0) {
    losses_.push_back({letter, count, std::move(what), changes_verdict});
  }
}

void Plan::count_losses() {
  count_lost_txns();
  count_lost_order();
  if (workload_ == Workload::kRows) {
    count_lost_row_types();
    count_lost_rows();
  } else {
    count_lost_names();
    count_lost_types();
    count_lost_values();
  }
  count_lost_context();
  count_made_up();
}

void Plan::count_lost_txns() {
  std::uint64_t aborted = 0;
  std::uint64_t aborted_reads = 0;
  std::uint64_t dropped = 0;
  std::uint64_t believed = 0;
  std::uint64_t empty = 0;
  for (TxnId txn{0}; txn.index() < history_->txn_count(); ++txn.value) {
    const bool is_kept = is_kept_[txn.index()];
    const bool has_ops = has_written_op(txn);
    switch (history_->status(txn)) {
      case TxnStatus::kAborted:
        aborted += target_->aborted || target_->aborted_writes ? 0U : 1U;
        aborted_reads += is_kept && !target_->aborted ? 1U : 0U;
        break;
      case TxnStatus::kIndeterminate:
        dropped += is_kept ? 0U : 1U;
        believed += is_kept && !target_->indeterminate ? 1U : 0U;
        break;
      case TxnStatus::kCommitted:
        empty += !is_kept && !has_ops ? 1U : 0U;
    }
  }
  if (target_->aborted_ids && !target_->repeats) {
    lose('A', aborted, "aborted transactions reduced to their ids and what reads saw");
  } else {
    lose('A', aborted,
         target_->aborted_ids ? "aborted transactions reduced to their ids"
                              : "aborted transactions left out",
         true);
  }
  lose('A', aborted_reads, "aborted transactions reduced to their writes");
  lose('A', target_->misread_aborted.empty() ? 0 : misread_aborted(),
       std::string(target_->misread_aborted), true);
  lose('I', dropped, "indeterminate transactions left out, since no read saw their writes", true);
  lose('I', believed, "indeterminate transactions whose writes were seen kept as committed", true);
  lose('E', empty, "transactions without operations left out");
}

/// The number of planned transactions with timestamps of the database.
std::uint64_t Plan::timestamped() const {
  return static_cast<std::uint64_t>(std::ranges::count_if(txns_, [this](const PlannedTxn& txn) {
    return !txn.txn.is_none() && known_timestamps(*history_, txn.txn);
  }));
}

void Plan::count_lost_order() {
  const HistoryInfo& info = history_->info();
  const std::uint64_t txns = history_->txn_count();
  if (info.has_real_time && !target_->invocations) {
    lose('T', txns, "transactions whose order in real time is lost");
  } else if (timestamped() > 0 && !target_->timestamps) {
    lose('T', txns, "transactions whose timestamps are lost");
  }
  lose('T', target_->times_in_ms && info.has_real_time && !has_times_in_ms(*history_) ? txns : 0,
       "transactions whose times become their places in the order of events");
  if (info.has_real_time && !info.is_session_trace && !target_->invocations) {
    lose('P', txns, "transactions whose invocations and completions are lost");
  }
}

void Plan::count_lost_names() {
  lose('K', target_->keys.is_text() || keeps_key_names_ ? 0 : keys_.renumbered_count(),
       "names of keys made numbers");
  lose('K', target_->letter_keys ? history_->key_count() : 0, "names of keys made letters");
  const bool moved = values_.is_moved();
  lose('K', target_->one_register && names_its_register() ? 1 : 0, "name of the register left out");
  lose('V', target_->drops_values ? written_.all().size() : 0, "written values left out");
  lose('V', moved ? written_.all().size() : values_.renumbered_count(),
       moved ? "written values greater by one, since 0 means the initial state"
             : "values made other numbers");
}

bool Plan::names_its_register() const {
  return history_->key_count() > 0 && !history_->key_value({0}).is_nil();
}

namespace {

/// Whether JSON has no type for the value. Arrays of integers and strings are read back unchanged.
bool is_foreign_to_json(const History& history, ValueId value) {
  const ValueClass type = history.values().class_of(value);
  if (type == ValueClass::kVector) {
    const std::string text = history.text(value);
    return !std::ranges::all_of(*elements_of(text), [](std::string_view element) {
      const bool is_number = element.find_first_not_of("-0123456789") == std::string_view::npos;
      return element.starts_with('"') || is_number;
    });
  }
  return type == ValueClass::kKeyword || type > ValueClass::kString || type == ValueClass::kRatio ||
         type == ValueClass::kDecimal;
}

}  // namespace

/// Counts names and values that JSON has no type for.
void Plan::count_lost_types() {
  if (!target_->json_types) {
    return;
  }
  const auto is_lost = [this](ValueId value) { return is_foreign_to_json(*history_, value); };
  std::uint64_t keys = 0;
  for (KeyId key{0}; key.index() < history_->key_count(); ++key.value) {
    keys += is_lost(history_->key_value(key)) ? 1U : 0U;
  }
  lose('K', keys, "names of keys made strings or arrays");
  const auto values = std::ranges::count_if(
      written_.all(), [&](const WrittenValues::Write& write) { return is_lost(write.value); });
  lose('V', static_cast<std::uint64_t>(values), "written values made strings or arrays");
}

/// Counts the same for rows. JSON writes all names of columns alike.
void Plan::count_lost_row_types() {
  lose('K', keys_.renumbered_count(), "keys of rows made numbers");
  lose('K', columns_.renumbered_count(), "names of columns made numbers");
  const rows::Rows& rows = *history_->info().rows;
  if (target_->rows_are_values) {
    const bool has_name = rows.column_count() > 0 && !rows.column_name({0}).is_none();
    lose('K', has_name ? 1 : 0, "name of the column left out");
  }
  if (!target_->json_types) {
    return;
  }
  std::uint64_t keys = 0;
  for (KeyId key{0}; key.index() < history_->key_count(); ++key.value) {
    const bool is_row = rows.is_row(key);
    keys += is_row && is_foreign_to_json(*history_, rows.key(key)) ? 1U : 0U;
  }
  lose('K', keys, "keys of rows made strings or arrays");
  std::uint64_t columns = 0;
  for (rows::ColumnId column{0}; column.index() < rows.column_count(); ++column.value) {
    const ValueId name = rows.column_name(column);
    columns +=
        !name.is_none() && history_->values().class_of(name) == ValueClass::kString ? 1U : 0U;
  }
  lose('K', columns, "names of columns, strings, that may become keywords");
  std::uint64_t values = 0;
  for (const rows::RowOp& op : rows.ops()) {
    const auto written = rows.written(op);
    values +=
        static_cast<std::uint64_t>(std::ranges::count_if(written, [&](const rows::Field& field) {
          return is_foreign_to_json(*history_, field.value);
        }));
  }
  lose('V', values, "written values made strings or arrays");
}

void Plan::count_lost_rows() {
  lose('U', history_->info().rows->is_closed() || target_->open_universe ? 0 : 1,
       "tables that may have had unrecorded rows taken for empty ones", true);
}

void Plan::count_lost_values() {
  std::uint64_t lists = 0;
  std::uint64_t initial = 0;
  std::uint64_t unwritten = 0;
  std::uint64_t first = 0;
  std::vector<PlannedOp> ops;
  const bool infers_initial = is_multi_register() && !names_initial() && !target_->keeps_extras;
  const bool reduces = workload_ == Workload::kListAppend && !target_->lists;
  for (const PlannedTxn& txn : txns_) {
    this->ops(txn, ops);
    for (const PlannedOp& op : ops) {
      if (op.kind != OpKind::kRead) {
        continue;
      }
      lists += reduces ? 1U : 0U;
      initial += op.is_initial ? 1U : 0U;
      unwritten += target_->excuses_unwritten && !op.is_initial && !has_kept_writer(op) ? 1U : 0U;
      first += infers_initial && !op.is_initial ? 1U : 0U;
    }
  }
  lose('L', lists, "reads of lists reduced to the last element", true);
  lose('N', first, "reads that may show what multi-register infers, the initial value", true);
  count_lost_initial(initial);
  lose('C',
       history_->info().failed_cas_shows && target_->misread_aborted.empty() ? failed_cas() : 0,
       "compare-and-sets whose failure no longer shows that they saw another value", true);
  lose('C', workload_ == Workload::kCasRegister ? open_cas() : 0,
       "compare-and-sets of unknown outcome that no longer show what they expect", true);
  lose('W', unwritten, "reads of values that no transaction wrote, which the format excuses", true);
}

/// `reads`: those of the initial state.
void Plan::count_lost_initial(std::uint64_t reads) {
  if (copies_values()) {
    lose('N', names_initial() && !target_->declares_initial ? 1 : 0,
         "initial value left out, which readers have to be given again", true);
    return;
  }
  const bool is_nil = history_->info().initial.is_nil();
  lose('N', target_->initial == InitialForm::kNil || !is_nil ? 0 : reads,
       "reads of the initial state, nil, that read 0");
  lose('N', initial_.narrowed_reads(),
       "reads of a value that is initial and written as well become reads of what was written",
       true);
  lose('N', initial_.widened_reads(),
       "reads of the initial state, or of nil behind an initial transaction, that could then have "
       "seen something else",
       true);
  lose('N', initial_.closed_reads(),
       "reads of nil, which may have seen any value, become reads of the initial state", true);
}

bool Plan::has_kept_writer(const PlannedOp& read) const {
  return std::ranges::any_of(
      written_.find(read.key, read.value), [this](const WrittenValues::Write& write) {
        const bool is_named = target_->aborted_ids && !target_->repeats &&
                              history_->status(write.txn) == TxnStatus::kAborted;
        return is_kept_[write.txn.index()] || is_named;
      });
}

void Plan::count_lost_context() {
  const HistoryInfo& info = history_->info();
  std::uint64_t client_events = 0;
  std::uint64_t levels = 0;
  for (TxnId txn{0}; txn.index() < history_->txn_count(); ++txn.value) {
    client_events += history_->has_invocation(txn) ? 1U : 0U;
    client_events += history_->has_completion(txn) ? 1U : 0U;
  }
  for (const PlannedTxn& txn : txns_) {
    levels += txn.txn.is_none() || history_->levels().of(txn.txn).empty() ? 0U : 1U;
  }
  lose('E', info.event_count - std::min(info.event_count, client_events),
       "events of others than clients left out");
  lose('B', target_->keeps_extras ? 0 : levels,
       "transactions whose isolation levels, which they asked for, are left out", true);
  const bool keeps_fields = target_->keeps_extras && source_.details;
  lose('E', keeps_fields ? 0 : info.extra_fields,
       "operations whose further fields, such as :error, are left out");
  lose('E', target_->drops_own_reads ? own_reads() : 0,
       "reads of what the transaction itself wrote left out");
  lose('E', target_->one_register && workload_ != Workload::kCasRegister ? unknown_reads() : 0,
       "reads without a result, before a write, left out");
  lose('D', info.tombstones, "deletions made writes of a value", true);
  lose('X', info.predicates, "ranges or scans reduced to the rows that they returned", true);
  lose('M', source_.has_header ? 1 : 0, "header left out (parameters, start, end)");
  lose('O',
       target_->by_session && !info.has_real_time && mixes_sessions() ? history_->txn_count() : 0,
       "transactions whose places among those of other sessions are lost");
  lose('S', target_->drops_sessions ? history_->session_count() : 0, "sessions lost");
}

/// The number of aborted operations that the format misreads: in it only compare-and-sets fail,
/// because of the value that they see.
std::uint64_t Plan::misread_aborted() const {
  PlannedSingles singles(*this);
  return static_cast<std::uint64_t>(std::ranges::count_if(txns_, [&](const PlannedTxn& txn) {
    if (txn.status != TxnStatus::kAborted) {
      return false;
    }
    const Result<PlannedSingle> single = singles.of(txn);
    return single && single.value().kind != PlannedSingle::Kind::kRead &&
           (single.value().kind == PlannedSingle::Kind::kWrite ||
            workload_ != Workload::kCasRegister || !history_->info().failed_cas_shows);
  }));
}

/// The number of failed compare-and-sets: each shows that the value was not the expected one.
std::uint64_t Plan::failed_cas() const {
  std::uint64_t count = 0;
  for (TxnId txn{0}; txn.index() < history_->txn_count(); ++txn.value) {
    const bool is_failed_cas =
        history_->status(txn) == TxnStatus::kAborted && history_->ops(txn).size() == 2;
    count += is_failed_cas ? 1U : 0U;
  }
  return count;
}

/// The number of compare-and-sets of unknown outcome that become mere writes: a transaction that
/// may have happened shows no read of nil, and without a completion no read at all.
std::uint64_t Plan::open_cas() const {
  if (target_->one_register) {
    return unknown_reads();
  }
  return static_cast<std::uint64_t>(std::ranges::count_if(txns_, [this](const PlannedTxn& txn) {
    const auto ops = txn.txn.is_none() ? std::span<const Op>() : history_->ops(txn.txn);
    return txn.status == TxnStatus::kIndeterminate && ops.size() == 2 &&
           (ops[0].value().is_nil() || !history_->has_completion(txn.txn));
  }));
}

/// The number of reads that the single operations made of transactions do not contain.
std::uint64_t Plan::unknown_reads() const {
  PlannedSingles singles(*this);
  return static_cast<std::uint64_t>(std::ranges::count_if(txns_, [&](const PlannedTxn& txn) {
    const Result<PlannedSingle> single = singles.of(txn);
    return single && single.value().kind == PlannedSingle::Kind::kWrite &&
           !single.value().read.key.is_none();
  }));
}

/// Whether the source interleaves transactions of several sessions.
bool Plan::mixes_sessions() const {
  std::unordered_set<SessionId> seen;
  SessionId last;
  for (TxnId txn{0}; txn.index() < history_->txn_count(); ++txn.value) {
    const SessionId session = history_->session(txn);
    if (session != last && !seen.insert(session).second) {
      return true;
    }
    last = session;
  }
  return false;
}

/// The number of reads after a write of the same key by the same transaction.
std::uint64_t Plan::own_reads() const {
  std::uint64_t count = 0;
  std::vector<PlannedOp> ops;
  std::unordered_set<KeyId> written;
  for (const PlannedTxn& txn : txns_) {
    this->ops(txn, ops);
    written.clear();
    for (const PlannedOp& op : ops) {
      if (op.kind == OpKind::kRead) {
        count += written.contains(op.key) ? 1U : 0U;
      } else {
        written.insert(op.key);
      }
    }
  }
  return count;
}

void Plan::count_made_up() {
  const HistoryInfo& info = history_->info();
  const std::uint64_t timestamped = this->timestamped();
  const bool keeps_times = target_->whole_times || (target_->times_in_ms && info.has_real_time);
  const bool makes_events = (target_->invocations || target_->serial) && !keeps_times;
  const bool is_serial = target_->serial || (!info.has_real_time && timestamped == 0);
  lose('t', target_->needs_timestamps && timestamped == 0 ? txns_.size() : 0,
       "transactions whose timestamps are made up from the order of the history");
  lose('t', target_->needs_timestamps && timestamped < txns_.size() ? timestamped : 0,
       "transactions whose timestamps become places in the order of the history, since others have "
       "none",
       true);
  lose('s', info.has_process ? 0 : history_->session_count(), "sessions made up");
  lose('u', write_numbers_.size(), "writes given values of their own");
  lose('i', makes_initial_txn_ ? 1 : 0, "initial transaction made up");
  lose('x', target_->ids ? txns_.size() : 0, "ids of transactions made up");
  lose('p', makes_events && info.is_session_trace ? txns_.size() : 0,
       is_serial ? "invocations and completions made up, one transaction after the other: "
                   "levels that need real time cannot be judged by them"
       : info.has_real_time ? "invocations and completions made up from times"
                            : "invocations and completions made up from timestamps");
}

}  // namespace elapid
