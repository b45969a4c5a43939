#include "engine/solve/core_theory.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace elapid {

namespace {

std::vector<std::uint32_t> first_places(std::size_t count) {
  std::vector<std::uint32_t> places(count);
  std::iota(places.begin(), places.end(), 0U);
  return places;
}

}  // namespace

CoreTheory::CoreTheory(const Core& core, const std::vector<IncrementalOrder::Edge>& permanent,
                       const ListPlaces& lists, SatSolver& sat)
    : core_(core),
      lists_(lists),
      sat_(sat),
      order_(static_cast<std::uint32_t>(core.vertices.size()), permanent,
             first_places(core.vertices.size())) {}

void CoreTheory::add_variable(std::uint32_t list_place) {
  effects_.resize(effects_.size() + 2);
  list_place_.push_back(list_place);
}

void CoreTheory::bring(std::span<const Literal> premises, std::uint32_t from, std::uint32_t to,
                       OrderEdge edge) {
  if (premises.size() == 1) {
    effects_[premises[0].code()].consequences.push_back({from, to, edge});
    return;
  }
  if (premises.size() == 2) {
    effects_[premises[0].code()].consequences.push_back({from, to, edge, premises[1]});
    effects_[premises[1].code()].consequences.push_back({from, to, edge, premises[0]});
    return;
  }
  for (const Literal premise : premises) {
    effects_[premise.code()].guards.push_back(static_cast<std::uint32_t>(guards_.size()));
  }
  const auto missing = static_cast<std::uint32_t>(premises.size());
  guards_.push_back({{premises.begin(), premises.end()}, missing, from, to, edge});
}

std::uint32_t CoreTheory::assign(Literal literal, std::vector<Literal>& conflict) {
  brought_before_.push_back(brought_.size());
  Effects& effects = effects_[literal.code()];
  effects.is_told = true;
  for (const std::uint32_t g : effects.guards) {
    --guards_[g].missing;
  }
  if (const std::uint32_t line = occupy(literal, conflict); line != Theory::kNoConflict) {
    return line;
  }
  for (const Consequence& edge : effects.consequences) {
    if (edge.partner && !effects_[edge.partner->code()].is_told) {
      continue;
    }
    const Brought brought = {{literal, edge.partner.value_or(literal)}, edge.edge};
    if (!order_.insert(edge.from, edge.to)) {
      return explain_cycle(edge.from, edge.to, brought, conflict);
    }
    brought_.push_back(brought);
  }
  for (const std::uint32_t g : effects.guards) {
    const Guard& guard = guards_[g];
    const Brought brought = {{literal, literal}, guard.edge, g};
    if (guard.missing > 0) {
      continue;
    }
    if (!order_.insert(guard.from, guard.to)) {
      return explain_cycle(guard.from, guard.to, brought, conflict);
    }
    brought_.push_back(brought);
  }
  return Theory::kNoConflict;
}

void CoreTheory::retract(Literal literal) {
  Effects& effects = effects_[literal.code()];
  effects.is_told = false;
  vacate(literal);
  for (const std::uint32_t g : effects.guards) {
    ++guards_[g].missing;
  }
  while (brought_.size() > brought_before_.back()) {
    order_.remove_last();
    brought_.pop_back();
  }
  brought_before_.pop_back();
}

/// Two transactions cannot stand in one place.
std::uint32_t CoreTheory::occupy(Literal literal, std::vector<Literal>& conflict) {
  if (list_place_[literal.variable()] == kNone || !literal.holds()) {
    return Theory::kNoConflict;
  }
  const ListPlaces::Place& place = lists_.places()[list_place_[literal.variable()]];
  for (std::uint32_t i = place.begin; i < place.end; ++i) {
    const auto [entry, is_free] =
        occupied_by_.emplace(std::uint64_t{place.line} << 32 | i, literal.variable());
    if (!is_free) {
      conflict = {~literal, Literal(entry->second, false)};
      return sat_.add_line(conflict);
    }
  }
  return Theory::kNoConflict;
}

void CoreTheory::vacate(Literal literal) {
  if (list_place_[literal.variable()] == kNone || !literal.holds()) {
    return;
  }
  const ListPlaces::Place& place = lists_.places()[list_place_[literal.variable()]];
  for (std::uint32_t i = place.begin; i < place.end; ++i) {
    const auto entry = occupied_by_.find(std::uint64_t{place.line} << 32 | i);
    if (entry != occupied_by_.end() && entry->second == literal.variable()) {
      occupied_by_.erase(entry);
    }
  }
}

/// Makes a clause of the cycle through the edge that has the fewest edges of choices.
std::uint32_t CoreTheory::explain_cycle(std::uint32_t from, std::uint32_t to,
                                        const Brought& brought, std::vector<Literal>& conflict) {
  const auto first_brought = static_cast<std::uint32_t>(core_.edges.size());
  const std::vector<std::uint32_t> path = order_.cheapest_path(to, from, [&](std::uint32_t e) {
    return e >= first_brought && !is_permanent(brought_[e - first_brought]);
  });
  std::vector<CoreEdge> cycle = {{.chosen = brought.edge}};
  conflict.clear();
  const auto add_premises = [&](const Brought& of) {
    for (const Literal premise : premises(of)) {
      conflict.push_back(~premise);
    }
  };
  add_premises(brought);
  for (const std::uint32_t e : path) {
    if (e < first_brought) {
      cycle.push_back({.number = core_.edges[e]});
      continue;
    }
    cycle.push_back({.chosen = brought_[e - first_brought].edge});
    add_premises(brought_[e - first_brought]);
  }
  std::ranges::sort(conflict, {}, &Literal::code);
  const auto repeated = std::ranges::unique(conflict);
  conflict.erase(repeated.begin(), repeated.end());
  const std::uint32_t line = sat_.add_line(conflict);
  cycles_.emplace(line, std::move(cycle));
  return line;
}

std::span<const Literal> CoreTheory::premises(const Brought& brought) const {
  return brought.guard != kNone ? std::span<const Literal>(guards_[brought.guard].premises)
                                : std::span<const Literal>(brought.premises);
}

/// Whether the edge holds for good.
bool CoreTheory::is_permanent(const Brought& brought) const {
  return std::ranges::all_of(premises(brought),
                             [this](Literal l) { return sat_.is_permanent(l.variable()); });
}

std::vector<CoreEdge> CoreTheory::cycle_of(std::uint32_t line) const {
  const auto cycle = cycles_.find(line);
  return cycle == cycles_.end() ? std::vector<CoreEdge>() : cycle->second;
}

}  // namespace elapid
