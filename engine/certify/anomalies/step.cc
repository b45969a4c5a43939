#include "engine/certify/anomalies/step.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

#include "engine/certify/operations/operations.h"
#include "engine/certify/operations/others_elements.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

namespace {

/// A transaction at one end of a step, and the operation that the step names there.
struct End {
  TxnId txn;
  std::int32_t mop;
};

std::string claim(const Index& index, TxnId txn, std::string_view does_not, ValueId version,
                  KeyId key) {
  const History& history = index.history();
  return txn_text(history, txn) + " does not " + std::string(does_not) + " " +
         version_text(history, version) + " of key " + history.shown_key(key) +
         " in the operation named";
}

std::string no_order(const Index& index, const Step& step, std::string_view why) {
  const History& history = index.history();
  return "nothing puts " + version_text(history, step.value) + " directly before " +
         version_text(history, step.value_after) + " in key " + history.shown_key(step.key) +
         std::string(why);
}

Flaw check_only_writer(const Index& index, TxnId txn, KeyId key, ValueId value) {
  if (index.writers().another(txn, key, value)) {
    const History& history = index.history();
    return txn_text(history, txn) + " need not be the writer of " + history.shown_text(value) +
           " in key " + history.shown_key(key) + ", as another transaction wrote it too";
  }
  if (index.may_be_initial(value)) {
    return txn_text(index.history(), txn) + " need not be the writer of " +
           index.history().shown_text(value) + ", which is the initial state too";
  }
  return {};
}

// Lists.

Flaw check_append(const Index& index, End end, KeyId key, ValueId element) {
  if (op_at(index.history().ops(end.txn), end.mop) != Op(OpKind::kAppend, key, element)) {
    return claim(index, end.txn, "append", element, key);
  }
  return check_only_writer(index, end.txn, key, element);
}

/// The last element of others in a list that was read; none() if there is none. Nothing if the read
/// shows no list of others.
std::optional<ValueId> last_of_others(const Index& index, TxnId reader, std::int32_t mop, Op read) {
  if (!read.is_read()) {
    return std::nullopt;
  }
  const auto list = others_elements(index.history(), reader, mop, index.elle_compat());
  if (!list) {
    return std::nullopt;
  }
  return list->empty() ? ValueId::none() : list->back();
}

Flaw check_list_read(const Index& index, End end, KeyId key, ValueId last) {
  const History& history = index.history();
  const std::optional<Op> op = op_at(history.ops(end.txn), end.mop);
  if (op && op->key() == key && is_answered(history, end.txn, *op) &&
      last_of_others(index, end.txn, end.mop, *op) == last) {
    return {};
  }
  return claim(index, end.txn, "read a list that ends in", last, key);
}

/// Whether a trusted transaction appended the element.
bool is_written(const Index& index, KeyId key, ValueId element) {
  return std::ranges::any_of(index.writers().of(key, element),
                             [&](const Write& write) { return index.trusted(write.txn); });
}

/// Whether lists lead from one of `elements` back to `before` over elements that no trusted
/// transaction appended. Each is passed over once.
bool leads_back(const Index& index, KeyId key, std::vector<ValueId> elements, ValueId before) {
  std::set<ValueId> passed;
  while (!elements.empty()) {
    const ValueId element = elements.back();
    elements.pop_back();
    if (element == before) {
      return true;
    }
    if (!element.is_none() && !is_written(index, key, element) && passed.insert(element).second) {
      std::ranges::copy(index.lists().elements_before(key, element), std::back_inserter(elements));
    }
  }
  return false;
}

/// Elements that no read shows come after the last one that some read shows. A writer follows the
/// last one before it, whatever aborted transactions appended in between.
Flaw check_list_order(const Index& index, const Step& step) {
  const ListVersions& lists = index.lists();
  const bool is_behind_all = !lists.observed(step.key, step.value_after);
  const bool is_next = is_behind_all && lists.ends_longest(step.key, step.value);
  if (is_next || lists.adjacent(step.key, step.value, step.value_after) ||
      (step.relation == Relation::kWw && !step.value.is_none() &&
       leads_back(index, step.key,
                  is_behind_all ? lists.last_elements(step.key)
                                : lists.elements_before(step.key, step.value_after),
                  step.value))) {
    return {};
  }
  return no_order(index, step, " in any list read");
}

Flaw check_list_item(const Index& index, const Step& step) {
  const End from{step.from, step.from_mop};
  const End to{step.to, step.to_mop};
  Flaw flaw = step.relation == Relation::kRw ? check_list_read(index, from, step.key, step.value)
                                             : check_append(index, from, step.key, step.value);
  if (flaw) {
    return flaw;
  }
  if (step.relation == Relation::kWr) {
    return check_list_read(index, to, step.key, step.value);
  }
  flaw = check_append(index, to, step.key, step.value_after);
  return flaw ? flaw : check_list_order(index, step);
}

// Registers.

Flaw check_register_write(const Index& index, End end, KeyId key, ValueId value) {
  const std::span<const Op> ops = index.history().ops(end.txn);
  if (op_at(ops, end.mop) != Op(OpKind::kWrite, key, value) || last_write(ops, key) != value) {
    return claim(index, end.txn, "leave behind", value, key);
  }
  return {};
}

Flaw check_register_read(const Index& index, End end, KeyId key, ValueId value) {
  const History& history = index.history();
  if (op_at(history.ops(end.txn), end.mop) != Op(OpKind::kRead, key, value) ||
      external_read(history, end.txn, key) != value) {
    return claim(index, end.txn, "find", value, key);
  }
  return {};
}

Flaw check_register_item(const Index& index, const Step& step) {
  const End from{step.from, step.from_mop};
  const End to{step.to, step.to_mop};
  const ValueId version = step.value.is_none() ? index.history().info().initial : step.value;
  Flaw flaw = step.relation == Relation::kRw ? check_register_read(index, from, step.key, version)
                                             : check_register_write(index, from, step.key, version);
  if (flaw) {
    return flaw;
  }
  if (step.relation == Relation::kWr) {
    flaw = check_only_writer(index, step.from, step.key, version);
    return flaw ? flaw : check_register_read(index, to, step.key, version);
  }
  flaw = check_register_write(index, to, step.key, step.value_after);
  if (!flaw && !index.registers().precedes(step.key, version, step.value_after)) {
    return no_order(index, step, " under the assumptions made");
  }
  return flaw;
}

// Orders of transactions.

/// Transactions of one session are numbered in its order. What is not known to have completed may
/// take effect after what its session did next.
Flaw check_process(const Index& index, const Step& step) {
  const History& history = index.history();
  const bool is_ordered = history.session(step.from) == history.session(step.to) &&
                          history.committed(step.from) && step.from < step.to;
  if (!is_ordered) {
    return txn_text(history, step.from) + " did not commit before " + txn_text(history, step.to) +
           " in one session";
  }
  return {};
}

Flaw check_realtime(const Index& index, const Step& step) {
  const History& history = index.history();
  const bool is_ordered = history.info().has_real_time && history.committed(step.from) &&
                          history.has_completion(step.from) && history.has_invocation(step.to) &&
                          history.completion_id(step.from) < history.invocation_id(step.to);
  if (!is_ordered) {
    return txn_text(history, step.from) + " did not complete before the invocation of " +
           txn_text(history, step.to);
  }
  return {};
}

Flaw check_ends(const Index& index, const Step& step) {
  for (const TxnId txn : {step.from, step.to}) {
    if (!index.has(txn)) {
      return "there is no transaction number " + std::to_string(txn.value);
    }
    if (!index.trusted(txn)) {
      return txn_text(index.history(), txn) + " may not have taken effect";
    }
  }
  if (step.from == step.to) {
    return txn_text(index.history(), step.from) + " depends on itself";
  }
  return {};
}

}  // namespace

Flaw check_step(const Index& index, const Step& step) {
  if (Flaw flaw = check_ends(index, step)) {
    return flaw;
  }
  if (step.relation == Relation::kProcess) {
    return check_process(index, step);
  }
  if (step.relation == Relation::kRealtime) {
    return check_realtime(index, step);
  }
  if (!index.has(step.key)) {
    return "there is no key number " + std::to_string(step.key.value);
  }
  return index.list_append() ? check_list_item(index, step) : check_register_item(index, step);
}

}  // namespace elapid::certify
