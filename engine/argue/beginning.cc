#include "engine/argue/beginning.h"

#include <algorithm>

#include "engine/argue/row_parts.h"

namespace elapid::argue {

namespace {

RowsChoice at_first(KeyId row, std::uint32_t part, std::vector<ValueId> values) {
  return {
      .kind = RowsChoice::Kind::kAtFirst, .row = row, .part = part, .values = std::move(values)};
}

}  // namespace

void Beginning::choose() {
  chosen_ = contents_.guess();
  for (const auto& [row, variable] : exists_) {
    chosen_[row].is_alive = sat_.is_true(Literal(variable, true));
  }
  for (const auto& [place, variables] : held_) {
    const auto chosen = std::ranges::find_if(
        variables, [&](const auto& one) { return sat_.is_true(Literal(one.second, true)); });
    if (chosen != variables.end()) {
      set_column(chosen_[place.first], rows::ColumnId{place.second - kFirstColumn},
                 chosen->first.front());
    }
  }
  for (replay::RowState& state : chosen_) {
    if (!state.is_alive) {
      state.record = {};
    }
  }
}

std::vector<PartAtFirst> Beginning::parts() const {
  replay::RowContents contents;
  for (KeyId row{0}; row.index() < chosen_.size(); ++row.value) {
    if (chosen_[row.index()].is_alive) {
      contents.emplace_back(row, chosen_[row.index()]);
    }
  }
  return replay::parts_at_first(contents);
}

void Beginning::doubt(const std::vector<Alike>& alike, KeyId row, std::uint32_t part,
                      std::vector<Literal>& clause) {
  if (!contents_.is_open() || part == kRowVersion) {
    return;
  }
  const replay::RowState& state = chosen_[row.index()];
  if (part == kRowExistence) {
    clause.emplace_back(exists(row), !state.is_alive);
    return;
  }
  const auto known = std::ranges::find_if(
      alike, [&](const Alike& one) { return one.row == row && one.part == part; });
  clause.emplace_back(
      held(row, part,
           known != alike.end()
               ? known->values
               : std::vector{state.record.get(rows::ColumnId{part - kFirstColumn})}),
      false);
}

/// The variable that the row existed.
std::uint32_t Beginning::exists(KeyId row) {
  const auto [entry, is_new] = exists_.try_emplace(row.value);
  if (is_new) {
    entry->second = log_.new_variable(at_first(row, kRowExistence, {RowParts::existence(true)}),
                                      chosen_[row.index()].is_alive);
  }
  return entry->second;
}

/// The variable that the column held one of these values.
std::uint32_t Beginning::held(KeyId row, std::uint32_t part, const std::vector<ValueId>& values) {
  const Place place(row.value, part);
  if (!held_.contains(place)) {
    state_all_values(row, part);
  }
  ValueVariables& known = values.size() == 1 ? held_[place] : held_sets_[place];
  const auto found = std::ranges::find(known, values, &ValueVariables::value_type::first);
  if (found != known.end()) {
    return found->second;
  }
  const std::uint32_t variable = log_.new_variable(at_first(row, part, values), true);
  known.emplace_back(values, variable);
  for (const auto& [one, number] : held_[place]) {
    if (number != variable && std::ranges::find(values, one.front()) != values.end()) {
      log_.add({Literal(number, false), Literal(variable, true)},
               {.reason = RowsProofStep::Reason::kMeaning});
    }
  }
  return variable;
}

/// States that the column held one of all values, and that a row with a value existed.
void Beginning::state_all_values(KeyId row, std::uint32_t part) {
  const rows::ColumnId column{part - kFirstColumn};
  const ValueId guess = chosen_[row.index()].record.get(column);
  ValueVariables& all = held_[Place(row.value, part)];
  std::vector<Literal> any;
  for (const ValueId value : contents_.values(column)) {
    const std::uint32_t variable = log_.new_variable(at_first(row, part, {value}), value == guess);
    all.emplace_back(std::vector{value}, variable);
    any.emplace_back(variable, true);
  }
  log_.add(any, {.reason = RowsProofStep::Reason::kContents});
  for (const auto& [value, variable] : all) {
    if (!value.front().is_none()) {
      log_.add({Literal(variable, false), Literal(exists(row), true)},
               {.reason = RowsProofStep::Reason::kMeaning});
    }
  }
}

}  // namespace elapid::argue
