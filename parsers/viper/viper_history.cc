#include "parsers/viper/viper_history.h"

#include <span>
#include <string_view>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/jepsen/initial_value.h"

namespace elapid {

namespace {

constexpr std::int64_t kSessionBefore = -1;

/// Appends `WHAT, 3 in all, HOW.` if the count is not zero.
void say(std::vector<std::string>& assumptions, std::string_view what, std::size_t count,
         std::string_view how) {
  if (count > 0) {
    assumptions.push_back(std::string(what) + ", " + std::to_string(count) + " in all, " +
                          std::string(how) + '.');
  }
}

}  // namespace

/// Keeps the transaction's operations. The first ones are swapped in and later ones copied, so that
/// most of a file is in memory once.
void ViperHistory::keep(ViperTxn& txn) {
  if (mops_.empty()) {
    mops_.swap(txn.mops);
    elements_.swap(txn.elements);
    return;
  }
  const std::size_t first_mop = mops_.size();
  const auto first_element = static_cast<std::uint32_t>(elements_.size());
  mops_.append(txn.mops);
  elements_.append(txn.elements);
  for (std::size_t i = first_mop; i < mops_.size(); ++i) {
    mops_[i].list_begin += first_element;
  }
}

Status ViperHistory::add(ViperTxn& txn, std::int64_t session) {
  failed_writes_ += txn.failed_writes;
  ranges_ += txn.ranges;
  deletes_ += txn.deletes;
  if (elements_.size() + txn.elements.size() > HistoryRoom().elements) {
    return malformed_at(
        txn.position.offset,
        "expected no more than 2^32 - 1 elements of lists in one history, found more");
  }
  if (!txn.is_initial) {
    txns_.push_back({session, txn.position, mops_.size(), txn.mops.size()});
    keep(txn);
    return {};
  }
  if (has_initial_) {
    return malformed_at(txn.position.offset,
                        "expected one initial transaction, found a second one");
  }
  has_initial_ = true;
  initial_position_ = txn.position;
  for (const MopInput& mop : txn.mops) {
    first_values_[mop.key.index()] = mop.value;
  }
  return {};
}

Workload ViperHistory::workload(const ReadOptions& options) const {
  if (options.workload) {
    return *options.workload;
  }
  const auto has = [this](OpKind kind) {
    return std::ranges::any_of(mops_, [kind](const MopInput& mop) { return mop.kind == kind; });
  };
  const bool has_lists = has(OpKind::kAppend) || (has(OpKind::kReadList) && !has(OpKind::kWrite));
  return has_lists ? Workload::kListAppend : Workload::kRwRegister;
}

/// Turns reads of nil into reads of empty lists.
void ViperHistory::read_as_lists() {
  for (MopInput& mop : mops_) {
    if (mop.kind == OpKind::kRead && mop.value.is_nil()) {
      mop.kind = OpKind::kReadList;
      mop.list_length = 0;
    }
  }
}

/// Turns reads of empty lists into reads of nil.
void ViperHistory::read_as_registers() {
  for (MopInput& mop : mops_) {
    if (mop.kind == OpKind::kReadList && mop.list_length == 0) {
      mop.kind = OpKind::kRead;
      mop.value = ValueId::nil();
    }
  }
}

/// Turns reads of unwritten values into reads of the initial value of their keys. Returns their
/// number. At most one value of a key is initial: the one that the initial transaction wrote, else
/// nothing (nil, 0 or the usual initial value) if a read shows that, else the unwritten value that
/// is read first. Reads of other values stay: no transaction wrote them.
std::size_t ViperHistory::find_initial_reads() {
  const auto is_write = [](const MopInput& mop) { return mop.kind == OpKind::kWrite; };
  std::vector<std::uint64_t> written;
  written.reserve(static_cast<std::size_t>(std::ranges::count_if(mops_, is_write)));
  for (const MopInput& mop : mops_) {
    if (is_write(mop)) {
      written.push_back(pack(mop.key, mop.value));
    }
  }
  std::ranges::sort(written);
  std::vector<MopInput*> unwritten;
  for (MopInput& mop : mops_) {
    if (mop.kind == OpKind::kRead &&
        !std::ranges::binary_search(written, pack(mop.key, mop.value))) {
      unwritten.push_back(&mop);
    }
  }
  const auto plain = [this](ValueId value) {
    return value.is_nil() || value == ValueId::integer(0) ? initial_ : value;
  };
  std::vector<ValueId> initial = first_values_;
  for (const bool is_nothing : {true, false}) {
    for (const MopInput* mop : unwritten) {
      ValueId& known = initial[mop->key.index()];
      if (known.is_none() && (!is_nothing || plain(mop->value) == initial_)) {
        known = plain(mop->value);
      }
    }
  }
  std::ranges::replace(first_values_, ValueId::none(), initial_);
  std::size_t count = 0;
  for (MopInput* mop : unwritten) {
    const ValueId first = first_values_[mop->key.index()];
    if (mop->value != first && mop->value != initial_ &&
        plain(mop->value) == initial[mop->key.index()]) {
      mop->value = first;
      ++count;
    }
  }
  return count;
}

/// Adds the initial transaction, in a session of its own.
Status ViperHistory::hand_over_initial() {
  std::vector<MopInput> writes;
  for (std::uint32_t key = 0; key < first_values_.size(); ++key) {
    writes.push_back({.kind = OpKind::kWrite, .key = {key}, .value = first_values_[key]});
  }
  return builder_.add_transaction(
      {.session = kSessionBefore, .position = initial_position_, .mops = writes});
}

Status ViperHistory::hand_over_others() {
  builder_.reserve(mops_.size() + first_values_.size());
  for (const Stored& txn : txns_) {
    ELAPID_RETURN_IF_ERROR(
        builder_.add_transaction({.session = txn.session,
                                  .position = txn.position,
                                  .mops = std::span(mops_).subspan(txn.first_mop, txn.mop_count),
                                  .elements = elements_}));
  }
  return {};
}

void ViperHistory::describe(HistoryInfo& info) const {
  info.initial = initial_;
  info.tombstones = deletes_;
  info.predicates = ranges_;
  if (has_initial_) {
    info.initial = ValueId::none();
    info.initial_txn = {0};
    info.assumptions.emplace_back(
        "The transaction marked as initial is the initial state; keys that it does not mention "
        "hold the usual initial value in it.");
  }
  say(info.assumptions, "Writes that say they did not succeed", failed_writes_, "are left out");
  say(info.assumptions, "Range reads", ranges_,
      "count as reads of the rows that they returned: that other keys were absent is not used");
}

Result<History> ViperHistory::finish(const ReadOptions& options, HistoryInfo info) && {
  ELAPID_ASSIGN_OR_RETURN(initial_, initial_value(options, ValueId::nil(), builder_.values()));
  describe(info);
  info.workload = workload(options);
  if (info.workload == Workload::kListAppend) {
    std::ranges::replace(first_values_, ValueId::none(), initial_);
    read_as_lists();
  } else {
    read_as_registers();
    say(info.assumptions, "Reads of values that no recorded transaction wrote",
        find_initial_reads(), "are taken for reads of the initial state, as Viper takes them");
  }
  Status status = has_initial_ ? hand_over_initial() : Status();
  status = status.ok() ? hand_over_others() : status;
  ELAPID_RETURN_IF_ERROR(status);
  return std::move(builder_).build(std::move(info));
}

}  // namespace elapid
