#include "engine/certify/rows/rows_choices.h"

#include <cstdint>
#include <utility>

namespace elapid::certify {

namespace {

/// A pair of events and its reverse have one variable: that of the lower event first.
bool is_turned(const RowsChoice& choice) {
  const auto code = [](OrderEvent event) { return std::pair(event.txn.value, event.is_commit); };
  return choice.kind == RowsChoice::Kind::kBefore && code(choice.second) < code(choice.first);
}

}  // namespace

std::size_t RowsChoices::ChoiceHash::operator()(const RowsChoice& choice) const {
  std::size_t hash = static_cast<std::size_t>(choice.kind);
  for (const std::uint32_t part :
       {choice.first.txn.value, choice.second.txn.value, choice.middle.value, choice.row.value,
        choice.mop, choice.as, choice.part}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15U;
    hash ^= hash >> 29;
  }
  return hash;
}

std::optional<Literal> RowsChoices::literal(const RowsChoice& choice) {
  RowsChoice about = choice;
  about.holds = true;
  bool holds = choice.holds;
  if (is_turned(choice)) {
    std::swap(about.first, about.second);
    holds = !holds;
  }
  const auto [entry, is_new] = variables_.try_emplace(about);
  if (is_new) {
    entry->second = clauses_.new_variable();
  }
  return holds ? entry->second : ~entry->second;
}

}  // namespace elapid::certify
