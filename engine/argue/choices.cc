#include "engine/argue/choices.h"

#include <utility>

namespace elapid::argue {

namespace {

constexpr RowsProofStep::Reason kMeaning = RowsProofStep::Reason::kMeaning;

}  // namespace

Literal Choices::before(OrderEvent a, OrderEvent b) {
  const bool is_turned = fixed_.vertex(b) < fixed_.vertex(a);
  if (is_turned) {
    std::swap(a, b);
  }
  const std::uint64_t key = std::uint64_t{fixed_.vertex(a)} << 32 | fixed_.vertex(b);
  const auto [entry, is_new] = before_.try_emplace(key);
  if (is_new) {
    const bool phase = order_.position(a) < order_.position(b);
    entry->second =
        log_.new_variable({.kind = RowsChoice::Kind::kBefore, .first = a, .second = b}, phase);
  }
  return {entry->second, !is_turned};
}

Literal Choices::took_effect(TxnId txn) {
  const auto [entry, is_new] = took_effect_.try_emplace(txn.value);
  if (is_new) {
    entry->second =
        log_.new_variable({.kind = RowsChoice::Kind::kTookEffect, .first = {txn, true}}, false);
  }
  return {entry->second, true};
}

std::vector<Literal> Choices::atoms_of_between(TxnId first, TxnId middle, TxnId reader) {
  std::vector<Literal> atoms;
  if (!history_.committed(middle)) {
    atoms.push_back(took_effect(middle));
  }
  if (!first.is_none() && !fixed_.precedes(first, middle)) {
    atoms.push_back(before(fixed_.commit(first), fixed_.commit(middle)));
  }
  if (!fixed_.precedes(middle, reader)) {
    atoms.push_back(before(fixed_.commit(middle), fixed_.start(reader)));
  }
  return atoms;
}

std::optional<Literal> Choices::between(TxnId first, TxnId middle, TxnId reader) {
  std::vector<Literal> atoms = atoms_of_between(first, middle, reader);
  while (atoms.size() > 1 && sat_.is_true(atoms.back())) {
    atoms.pop_back();
  }
  if (atoms.size() > 1 && sat_.is_true(atoms.front())) {
    atoms.erase(atoms.begin());
  }
  if (atoms.empty()) {
    return std::nullopt;
  }
  if (atoms.size() == 1) {
    return atoms.front();
  }
  const auto [entry, is_new] =
      between_.try_emplace(std::tuple(first.value, middle.value, reader.value));
  if (is_new) {
    const OrderEvent from = first.is_none() ? OrderEvent{first, true} : fixed_.commit(first);
    entry->second = log_.new_variable({.kind = RowsChoice::Kind::kBetween,
                                       .first = from,
                                       .second = fixed_.start(reader),
                                       .middle = middle},
                                      false);
    for (const Literal atom : atoms) {
      log_.add({Literal(entry->second, false), atom}, {.reason = kMeaning});
    }
  }
  return Literal(entry->second, true);
}

Literal Choices::found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as, bool phase) {
  if (as == kAsMissed) {
    return ~found(txn, mop, row, kAsFound);
  }
  const auto [entry, is_new] = found_.try_emplace(std::tuple(txn.value, mop, row.value, as));
  if (is_new) {
    entry->second = log_.new_variable(
        {.kind = RowsChoice::Kind::kFound, .first = {txn, true}, .row = row, .mop = mop, .as = as},
        phase);
    if (as != kAsFound) {
      const Literal at_all = found(txn, mop, row, kAsFound);
      log_.add({Literal(entry->second, false), at_all}, {.reason = kMeaning});
    }
  }
  return {entry->second, true};
}

Literal Choices::concerned(const Failure& failure, TxnId writer) {
  const OrderEvent reading = fixed_.start(failure.txn);
  const bool is_first = writer.is_none();
  if (!is_of_one_state_ && !is_first && history_.committed(writer) &&
      writes_.writes_all(writer, failure.row) && !fixed_.precedes(writer, failure.txn)) {
    return before(fixed_.commit(writer), reading);
  }
  const auto [entry, is_new] = concerned_.try_emplace(
      std::tuple(failure.txn.value, failure.mop, failure.row.value, writer.value, failure.as));
  if (is_new) {
    entry->second = log_.new_variable({.kind = RowsChoice::Kind::kConcerned,
                                       .first = reading,
                                       .middle = writer,
                                       .row = failure.row,
                                       .mop = failure.mop,
                                       .as = failure.as},
                                      false);
    const Literal is_not(entry->second, false);
    if (!is_first && !history_.committed(writer)) {
      log_.add({is_not, took_effect(writer)}, {.reason = kMeaning});
    }
    if (!is_first && !fixed_.precedes(writer, failure.txn)) {
      log_.add({is_not, before(fixed_.commit(writer), reading)}, {.reason = kMeaning});
    }
    if (!is_first && is_of_one_state_) {
      add_write(is_not, writer, failure.row);
    }
  }
  return {entry->second, true};
}

void Choices::add_write(Literal is_not, TxnId writer, KeyId row) {
  std::vector<Literal> clause = {is_not};
  bool is_certain = false;
  const auto count = static_cast<std::uint32_t>(history_.ops(writer).size());
  writes_.each_write(writer, count, row,
                     [&](std::uint32_t mop, const rows::RowOp& /*op*/, bool is_sure) {
                       is_certain = is_certain || is_sure;
                       if (!is_sure) {
                         clause.push_back(found(writer, mop, row, kAsFound));
                       }
                     });
  if (!is_certain) {
    log_.add(std::move(clause), {.reason = kMeaning});
  }
}

bool Choices::takes_effect(TxnId txn) const {
  if (history_.committed(txn)) {
    return true;
  }
  const auto known = took_effect_.find(txn.value);
  return history_.status(txn) == TxnStatus::kIndeterminate && known != took_effect_.end() &&
         sat_.is_true(Literal(known->second, true));
}

void Choices::note_found(FoundChoices& choices) const {
  for (const auto& [about, variable] : found_) {
    const auto& [txn, mop, row, as] = about;
    choices.set({txn}, mop, {row}, as, sat_.is_true(Literal(variable, true)));
  }
}

}  // namespace elapid::argue
