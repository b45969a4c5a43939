#include "parsers/convert/initial_state.h"

namespace elapid {

InitialState::InitialState(const History& history, bool leaves_out_txn, NilReads nil_reads)
    : names_(history.key_count()), nil_reads_(nil_reads) {
  const HistoryInfo& info = history.info();
  is_behind_initial_txn_ = !info.initial_txn.is_none();
  has_declared_value_ =
      !is_behind_initial_txn_ && !info.initial.is_none() && !info.initial.is_nil();
  for (Names& names : names_) {
    names.nil.value = is_behind_initial_txn_ ? ValueId::none() : ValueId::nil();
    names.declared.value = has_declared_value_ ? info.initial : ValueId::none();
  }
  if (is_behind_initial_txn_ && leaves_out_txn) {
    for (const Op op : history.ops(info.initial_txn)) {
      names_[op.key().index()].declared.value = op.value();
    }
  }
}

/// The name of the initial state with this value; nullptr if there is none.
template <class SomeNames>
auto InitialState::find(SomeNames& names, ValueId value) {
  return value.is_none()                 ? nullptr
         : names.nil.value == value      ? &names.nil
         : names.declared.value == value ? &names.declared
                                         : nullptr;
}

void InitialState::note_write(KeyId key, ValueId value) {
  if (Name* name = find(names_[key.index()], value)) {
    name->is_written = true;
  }
}

void InitialState::note_read(KeyId key, ValueId value) {
  nils_behind_initial_txn_ += is_behind_initial_txn_ && value.is_nil() ? 1U : 0U;
  if (Name* name = find(names_[key.index()], value)) {
    ++name->reads;
  }
}

void InitialState::decide(const Target& target) {
  for (Names& names : names_) {
    decide(target, names.nil, names.declared);
    decide(target, names.declared, names.nil);
    count_losses(names);
  }
  if (has_declared_value_ && target.declares_initial &&
      narrowed_reads_ + widened_reads_ + closed_reads_ > 0) {
    declare();
  }
  // If values are text, nil always stands for the initial state.
  widened_reads_ += target.values.is_text() ? nils_behind_initial_txn_ : 0;
}

/// If values are text, writes of nil stay as they are. Otherwise a write of the initial value is
/// written as the initial state if some read saw that value and no read saw the other name.
void InitialState::decide(const Target& target, Name& name, const Name& other) {
  const bool is_itself = target.values.is_text() && name.value.is_nil();
  const bool can_be = !target.values.is_text() && name.reads > 0 && other.reads == 0;
  name.is_initial = !name.is_written || (target.writes_initial && (is_itself || can_be));
}

void InitialState::count_losses(const Names& names) {
  const bool restores_nil = names.nil.is_written && names.nil.is_initial;
  const bool restores_declared = names.declared.is_written && names.declared.is_initial;
  narrowed_reads_ += names.nil.is_initial ? 0 : names.nil.reads;
  narrowed_reads_ += names.declared.is_initial ? 0 : names.declared.reads;
  widened_reads_ += names.nil.is_initial && restores_declared ? names.nil.reads : 0;
  const bool becomes_open = nil_reads_ == NilReads::kStayOpen;  // it is written as nil
  widened_reads_ +=
      names.declared.is_initial && (restores_nil || becomes_open) ? names.declared.reads : 0;
  closed_reads_ += nil_reads_ == NilReads::kAnything ? names.nil.reads : 0;
}

/// Every value is itself: the format declares the initial one.
void InitialState::declare() {
  is_declared_ = true;
  narrowed_reads_ = widened_reads_ = closed_reads_ = 0;
  for (Names& names : names_) {
    names.nil.is_initial = names.declared.is_initial = false;
  }
}

bool InitialState::is_initial_read(KeyId key, ValueId value) const {
  const Name* name = find(names_[key.index()], value);
  return name != nullptr && name->is_initial;
}

bool InitialState::is_initial_write(KeyId key, ValueId value) const {
  const Name* name = find(names_[key.index()], value);
  return name != nullptr && name->is_initial && name->is_written;
}

}  // namespace elapid
