#include "engine/predict/order_theory.h"

namespace elapid::predict {

OrderTheory::OrderTheory(std::uint32_t vertices, std::vector<IncrementalOrder::Edge> permanent,
                         const std::vector<std::uint32_t>& order)
    : order_(vertices, permanent, order),
      first_places_(vertices),
      permanent_count_(order_.edge_count()) {
  for (std::uint32_t place = 0; place < order.size(); ++place) {
    first_places_[order[place]] = place;
  }
}

Literal OrderTheory::edge(std::uint32_t from, std::uint32_t to) {
  const auto [found, is_new] = variables_.try_emplace(std::uint64_t{from} << 32 | to, 0);
  if (is_new) {
    found->second = sat_->new_variable(follows_order_ && first_places_[from] < first_places_[to]);
    edges_.emplace(found->second, IncrementalOrder::Edge{from, to});
  }
  return {found->second, true};
}

std::uint32_t OrderTheory::assign(Literal literal, std::vector<Literal>& conflict) {
  const auto edge = literal.holds() ? edges_.find(literal.variable()) : edges_.end();
  if (edge == edges_.end()) {
    return kNoConflict;
  }
  const auto [from, to] = edge->second;
  if (from != to && order_.insert(from, to)) {
    inserted_.push_back(literal.variable());
    return kNoConflict;
  }
  conflict.push_back(~literal);
  if (from != to) {
    for (const std::uint32_t number : order_.cheapest_path(
             to, from, [this](std::uint32_t e) { return e >= permanent_count_; })) {
      if (number >= permanent_count_) {
        conflict.push_back({inserted_[number - permanent_count_], false});
      }
    }
  }
  return sat_->add_line(conflict);
}

Literal OrderTheory::prefer(Literal usual) {
  for (const Literal literal : tried_first) {
    if (sat_->is_open(literal.variable())) {
      return literal;
    }
  }
  return usual;
}

void OrderTheory::retract(Literal literal) {
  if (!inserted_.empty() && literal.holds() && inserted_.back() == literal.variable()) {
    inserted_.pop_back();
    order_.remove_last();
  }
}

}  // namespace elapid::predict
