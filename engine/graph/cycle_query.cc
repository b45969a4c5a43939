#include "engine/graph/cycle_query.h"

namespace elapid {

namespace {

constexpr EdgeLabel lowest_bit(EdgeLabel labels) {
  return static_cast<EdgeLabel>(labels & (~labels + 1U));
}

/// Adds every single label of a set in bit order.
void split(EdgeLabel labels, LabelChoices& out) {
  while (labels != 0) {
    const EdgeLabel bit = lowest_bit(labels);
    out.add(bit);
    labels = static_cast<EdgeLabel>(labels & ~bit);
  }
}

}  // namespace

CycleState CycleState::start(const CycleQuery& query) {
  CycleState state;
  state.rw_wanted_ = query.mode == RwMode::kNone ? 0 : query.mode == RwMode::kSingle ? 1 : 2;
  for (std::size_t i = 0; i < query.required.size(); ++i) {
    state.required_missing_ |= static_cast<std::uint8_t>((query.required[i] != 0 ? 1U : 0U) << i);
  }
  return state;
}

LabelChoices CycleState::choices(const CycleQuery& query, EdgeLabel edge, bool first_step) const {
  LabelChoices out;
  EdgeLabel rw = 0;
  if (query.mode == RwMode::kNonadjacent) {
    rw = last_was_rw_ ? EdgeLabel{0} : static_cast<EdgeLabel>(edge & query.rw);
  } else if (rw_wanted_ > 0) {
    rw = edge & query.rw;
  }
  split(rw, out);
  if (first_step && rw_wanted_ > 0) {
    return out;
  }
  EdgeLabel wanted = 0;
  for (std::size_t i = 0; i < query.required.size(); ++i) {
    if ((required_missing_ & (1U << i)) != 0) {
      wanted |= query.required[i];
    }
  }
  const auto required = static_cast<EdgeLabel>(edge & wanted & ~rw);
  split(required, out);
  if (first_step && required_missing_ != 0) {
    return out;
  }
  const EdgeLabel rest = lowest_bit(static_cast<EdgeLabel>(edge & query.base & ~rw & ~required));
  if (rest != 0) {
    out.add(rest);
  }
  return out;
}

CycleState CycleState::after(const CycleQuery& query, EdgeLabel taken) const {
  CycleState next = *this;
  const bool is_rw = (taken & query.rw) != 0;
  if (is_rw && next.rw_wanted_ > 0) {
    --next.rw_wanted_;
  }
  next.last_was_rw_ = query.mode == RwMode::kNonadjacent && is_rw;
  for (std::size_t i = 0; i < query.required.size(); ++i) {
    if ((taken & query.required[i]) != 0) {
      next.required_missing_ &= static_cast<std::uint8_t>(~(1U << i));
    }
  }
  return next;
}

bool CycleState::accepts(const CycleQuery& query) const {
  const bool ends_on_rw = query.mode == RwMode::kNonadjacent && last_was_rw_;
  return rw_wanted_ == 0 && required_missing_ == 0 && !ends_on_rw;
}

}  // namespace elapid
