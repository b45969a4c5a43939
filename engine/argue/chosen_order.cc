#include "engine/argue/chosen_order.h"

#include <utility>

namespace elapid::argue {

ChosenOrder::ChosenOrder(const FixedOrder& fixed, std::span<const OrderEvent> first_guess,
                         const SatSolver& sat, ProofLog& log)
    : fixed_(fixed),
      sat_(sat),
      log_(log),
      first_order_(fixed.order(first_guess)),
      order_(fixed.vertex_count(), fixed.edges(), first_order_),
      known_(fixed, order_, [this](std::uint32_t edge) {
        return sat_.unit_line(brought_[edge - fixed_.edges().size()].variable());
      }) {}

std::uint32_t ChosenOrder::assign(Literal literal, std::vector<Literal>& conflict) {
  brought_before_.push_back(brought_.size());
  const RowsChoice& choice = log_.choice(literal);
  if (choice.kind != RowsChoice::Kind::kBefore) {
    return Theory::kNoConflict;
  }
  FixedOrder::Edge edge = {fixed_.vertex(choice.first), fixed_.vertex(choice.second)};
  if (!literal.holds()) {
    std::swap(edge.first, edge.second);
  }
  if (order_.insert(edge.first, edge.second)) {
    brought_.push_back(literal);
    return Theory::kNoConflict;
  }
  return explain(edge, literal, conflict);
}

void ChosenOrder::retract() {
  while (brought_.size() > brought_before_.back()) {
    order_.remove_last();
    brought_.pop_back();
  }
  brought_before_.pop_back();
}

/// The cycle that the edge would close, as a clause.
std::uint32_t ChosenOrder::explain(FixedOrder::Edge edge, Literal literal,
                                   std::vector<Literal>& conflict) {
  const auto first_brought = static_cast<std::uint32_t>(fixed_.edges().size());
  const bool is_certain = sat_.is_permanent(literal.variable());
  const std::vector<std::uint32_t> path =
      order_.cheapest_path(edge.second, edge.first, [&](std::uint32_t e) {
        return e >= first_brought &&
               (is_certain || !sat_.is_permanent(brought_[e - first_brought].variable()));
      });
  conflict = {~literal};
  std::vector<OrderEvent> cycle = {fixed_.event(edge.first)};
  for (const std::uint32_t e : path) {
    if (e >= first_brought) {
      conflict.push_back(~brought_[e - first_brought]);
    }
    if (const std::uint32_t from = order_.edge(e).first; fixed_.is_event(from)) {
      cycle.push_back(fixed_.event(from));
    }
  }
  make_clause(conflict);
  return log_.add_line(conflict,
                       {.reason = RowsProofStep::Reason::kCycle, .cycle = std::move(cycle)});
}

}  // namespace elapid::argue
