#include "parsers/convert/rows_as_registers.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/rows/rows.h"
#include "engine/rows/rows_builder.h"
#include "engine/rows/text.h"

namespace elapid {

using rows::Known;
using rows::RowOp;
using rows::RowOpKind;

namespace {

struct CopiedEvent {
  Event event;
  TxnId txn;
  bool is_invocation = false;
};

std::vector<CopiedEvent> copied_events(const History& history) {
  std::vector<CopiedEvent> moments;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    for (const EventKind kind : {EventKind::kInvocation, EventKind::kCompletion}) {
      const Event event = history.event(txn, kind);
      if (!event.id.is_none()) {
        moments.push_back({event, txn, kind == EventKind::kInvocation});
      }
    }
  }
  std::ranges::sort(moments, {}, [](const CopiedEvent& moment) { return moment.event.id.value; });
  return moments;
}

/// Adds all transactions of a history, whole or event by event, with the operations
/// `mops(txn, is_invocation)`.
template <class Mops>
Status copy_transactions(const History& history, HistoryBuilder& to, Mops mops) {
  const auto session = [&](TxnId txn) { return history.session_name(history.session(txn)); };
  const auto level = [&](TxnId txn) { return to.levels().number(history.levels().of(txn)); };
  Status status;
  for (TxnId txn{0};
       history.info().is_session_trace && txn.index() < history.txn_count() && status.ok();
       ++txn.value) {
    const std::vector<MopInput> made = mops(txn, false);
    const Event begin = history.event(txn, EventKind::kInvocation);
    status = to.add_transaction({.session = session(txn),
                                 .status = history.status(txn),
                                 .invocation_time = begin.time,
                                 .completion_time = history.event(txn, EventKind::kCompletion).time,
                                 .start_timestamp = history.start_timestamp(txn),
                                 .commit_timestamp = history.commit_timestamp(txn),
                                 .position = begin.position,
                                 .level = level(txn),
                                 .mops = made});
  }
  if (history.info().is_session_trace) {
    return status;
  }
  constexpr EventType kCompletions[] = {EventType::kOk, EventType::kFail, EventType::kInfo};
  for (const CopiedEvent& moment : copied_events(history)) {
    const std::vector<MopInput> made = mops(moment.txn, moment.is_invocation);
    const EventType completion = kCompletions[static_cast<std::size_t>(history.status(moment.txn))];
    if (status.ok()) {
      status = to.add_event({.type = moment.is_invocation ? EventType::kInvoke : completion,
                             .process = session(moment.txn),
                             .index = moment.event.index,
                             .time = moment.event.time,
                             .position = moment.event.position,
                             .level = level(moment.txn),
                             .mops = made});
    }
  }
  return status;
}

/// The facts about the source, for a history of other operations, which begins with nil.
HistoryInfo copied_info(const History& history, Workload workload, HistoryBuilder& to) {
  HistoryInfo info = history.info();
  info.workload = workload;
  info.initial = ValueId::nil();
  info.f = to.values().intern(":txn");
  info.rows = nullptr;
  return info;
}

/// Whether a read of registers contradicts an own write: read committed allows that of registers,
/// and not of rows.
bool contradicts_own_write(const History& registers) {
  struct LastWrite {
    TxnId txn = TxnId::none();
    ValueId value = ValueId::nil();
  };

  std::vector<LastWrite> last(registers.key_count());
  for (TxnId txn{0}; txn.index() < registers.txn_count(); ++txn.value) {
    for (const Op op : registers.committed(txn) ? registers.ops(txn) : std::span<const Op>()) {
      LastWrite& write = last[op.key().index()];
      if (op.kind() == OpKind::kWrite) {
        write = {txn, op.value()};
      } else if (write.txn == txn && write.value != op.value()) {
        return true;
      }
    }
  }
  return false;
}

Error refused_own_write() {
  return usage_error(
      "a read contradicts an own write, which read committed allows of registers and not of rows");
}

class RegisterMaker {
 public:
  explicit RegisterMaker(const History& history) : history_(history), rows_(*history.info().rows) {}

  Result<History> make() {
    if (!history_.info().initial_txn.is_none()) {
      return usage_error("its rows have contents at the beginning");
    }
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const bool is_doubtful = history_.status(txn) == TxnStatus::kIndeterminate;
      for (const Op op : history_.ops(txn)) {
        const RowOp& row_op = rows_.op(op);
        // A read of a register does not count in a transaction that may not have happened.
        const bool tells_of_doubtful =
            is_doubtful && row_op.is_read() && row_op.known != Known::kNothing;
        if (tells_of_doubtful || !note(row_op)) {
          return refusal(op);
        }
      }
    }
    const bool mixes_initial_states =
        rows_.is_closed() ? reads_initial_version_ : reads_absent_ || !has_versions_;
    if ((has_versions_ && has_values_) || mixes_initial_states) {
      return usage_error(
          "its reads mix values and versions, or show rows that may have existed before");
    }
    Status status = copy_transactions(history_, builder_, [this](TxnId txn, bool is_invocation) {
      return mops(txn, is_invocation);
    });
    ELAPID_RETURN_IF_ERROR(status);
    ELAPID_ASSIGN_OR_RETURN(History made, std::move(builder_).build(copied_info(
                                              history_, Workload::kRwRegister, builder_)));
    if (contradicts_own_write(made)) {
      return refused_own_write();
    }
    return made;
  }

 private:
  /// Notes an operation; false if registers have no such operation.
  bool note(const RowOp& op) {
    if (op.kind == RowOpKind::kPut) {
      const auto written = rows_.written(op);
      const bool has_name = !op.version.is_none() && !op.version.is_nil();
      unnamed_writes_ = unnamed_writes_ || !has_name;
      has_other_columns_ = has_other_columns_ || written.size() != 1 || !is_value(written.front());
      return is_consistent();
    }
    if (op.kind != RowOpKind::kRead) {
      return false;
    }
    if (op.known == Known::kNothing) {
      return true;
    }
    if (op.shown_count == 0) {
      reads_absent_ = true;
      return true;
    }
    const rows::ShownRow& shown = rows_.shown(op).front();
    if (op.known == Known::kVersions) {
      has_versions_ = true;
      reads_initial_version_ = reads_initial_version_ || shown.version.is_nil();
      return is_consistent();
    }
    const auto fields = rows_.fields(shown);
    has_values_ = true;
    return op.known == Known::kValues && fields.size() == 1 && is_value(fields.front()) &&
           is_consistent();
  }

  [[nodiscard]] bool is_consistent() const {
    return !(unnamed_writes_ && (has_versions_ || has_other_columns_)) &&
           !(has_values_ && has_other_columns_);
  }

  /// Whether the field is in the one column, and is not null.
  bool is_value(const rows::Field& field) {
    column_ = column_.value_or(field.column);
    return field.column == *column_ && !field.value.is_nil();
  }

  [[nodiscard]] Error refusal(Op op) const {
    return usage_error(rows::text(history_, op) +
                       " is not an operation of a register, or does not fit those before");
  }

  ValueId value(ValueId of) {
    return of.is_nil() ? of : builder_.values().intern(history_.text(of));
  }

  MopInput mop(Op op) {
    const RowOp& row_op = rows_.op(op);
    const KeyId key = builder_.key(value(history_.key_value(op.key())));
    const bool is_write = row_op.kind == RowOpKind::kPut;
    if (is_write) {
      const bool by_version = has_versions_ || has_other_columns_;
      return {.kind = OpKind::kWrite,
              .key = key,
              .value = value(by_version ? row_op.version : rows_.written(row_op).front().value)};
    }
    MopInput read = {.kind = OpKind::kRead, .key = key};
    if (row_op.known != Known::kNothing && row_op.shown_count > 0) {
      const rows::ShownRow& shown = rows_.shown(row_op).front();
      read.value = value(has_versions_ ? shown.version : rows_.fields(shown).front().value);
    }
    return read;
  }

  std::vector<MopInput> mops(TxnId txn, bool is_invocation) {
    std::vector<MopInput> made;
    for (const Op op : history_.ops(txn)) {
      const RowOp& row_op = rows_.op(op);
      const bool is_unknown = row_op.is_read() && row_op.known == Known::kNothing;
      if (!is_unknown) {  // a register that is nil was never written
        made.push_back(mop(op));
        const bool is_asked = is_invocation && made.back().kind == OpKind::kRead;
        made.back().value = is_asked ? ValueId::nil() : made.back().value;
      }
    }
    return made;
  }

  const History& history_;
  const rows::Rows& rows_;
  HistoryBuilder builder_{{.tolerate_overlaps = true}};
  std::optional<rows::ColumnId> column_;
  bool has_versions_ = false;
  bool has_values_ = false;
  bool reads_absent_ = false;
  bool reads_initial_version_ = false;
  bool unnamed_writes_ = false;
  bool has_other_columns_ = false;
};

class RowMaker {
 public:
  explicit RowMaker(const History& history) : history_(history) {}

  Result<History> make() {
    if (!history_.info().initial.is_nil() || !history_.info().initial_txn.is_none()) {
      return usage_error("its registers hold something before the first write");
    }
    for (const Op op : history_.all_ops()) {
      const bool is_read = op.kind() == OpKind::kRead;
      if (!is_read && (op.kind() != OpKind::kWrite || op.value().is_nil())) {
        return usage_error("something else than values is written, or nil");
      }
    }
    if (contradicts_own_write(history_)) {
      return refused_own_write();
    }
    Status status = copy_transactions(history_, builder_, [this](TxnId txn, bool is_invocation) {
      return mops(txn, is_invocation);
    });
    if (!status.ok() || !problem_.ok()) {
      return std::move(problem_.ok() ? status.error() : problem_.error());
    }
    HistoryInfo info = copied_info(history_, Workload::kRows, builder_);
    info.rows = std::move(rows_).build(true);
    return std::move(builder_).build(std::move(info));
  }

 private:
  ValueId value(ValueId of) {
    return of.is_nil() ? of : builder_.values().intern(history_.text(of));
  }

  std::vector<MopInput> mops(TxnId txn, bool is_invocation) {
    std::vector<MopInput> made;
    const bool is_certain = history_.committed(txn);
    const bool is_over = !is_invocation && history_.status(txn) != TxnStatus::kIndeterminate;
    for (const Op op : history_.ops(txn)) {
      const KeyId row = rows_.row(value(history_.key_value(op.key())));
      const rows::Field field = {rows_.column(ValueId::none()), value(op.value())};
      const rows::ShownRowInput shown = {.row = row, .fields = {&field, 1}};
      const bool is_read = op.kind() == OpKind::kRead;
      rows::RowOpInput input = {.kind = is_read ? RowOpKind::kRead : RowOpKind::kPut, .row = row};
      if (!is_read) {
        input.written = {&field, 1};
      } else if (is_over && (is_certain || !op.value().is_nil())) {
        input.known = Known::kValues;
        input.shown = std::span(&shown, op.value().is_nil() ? 0 : 1);
      }
      Result<MopInput> mop = rows_.add(input);
      if (!mop) {
        problem_ = std::move(mop.error());
        return made;
      }
      made.push_back(mop.value());
    }
    return made;
  }

  const History& history_;
  HistoryBuilder builder_{{.tolerate_overlaps = true}};
  rows::RowsBuilder rows_{builder_};
  Status problem_;
};

}  // namespace

Result<History> registers_as_rows(const History& history) {
  return RowMaker(history).make();
}

Result<History> rows_as_registers(const History& history) {
  return RegisterMaker(history).make();
}

}  // namespace elapid
