#include "engine/solve/growing_lists.h"

namespace elapid {

GrowingLists::GrowingLists(const OrderProblem& problem)
    : lists_(problem.lists()), length_(lists_.lines().size(), 0), left_(lists_.lines().size()) {
  for (std::uint32_t l = 0; l < lists_.lines().size(); ++l) {
    const ListPlaces::Line& line = lists_.lines()[l];
    left_[l].assign(line.length + std::size_t{1}, 0);
    is_feasible_ = is_feasible_ && (line.is_certain || !problem.is_certain(line.reader));
  }
  for (const ListPlaces::Reading& reading : lists_.readings()) {
    left_[reading.line][reading.length] += problem.is_certain(reading.txn) ? 1U : 0U;
  }
}

std::optional<KeyId> GrowingLists::find_obstacle(std::uint32_t txn, bool starts, bool claims,
                                                 bool commits) const {
  for (const std::uint32_t r : starts ? readings_of(txn) : std::span<const std::uint32_t>()) {
    const ListPlaces::Reading& reading = lists_.readings()[r];
    if (length_[reading.line] != reading.length) {
      return lists_.lines()[reading.line].key;
    }
  }
  for (const std::uint32_t s : stands_of(txn)) {
    const ListPlaces::Stand& stand = lists_.stands()[s];
    const bool is_hindered =
        (claims && !comes_next(stand)) || (commits && others_read(stand, starts));
    if (lists_.lines()[stand.line].is_certain && is_hindered) {
      return lists_.lines()[stand.line].key;
    }
  }
  return std::nullopt;
}

void GrowingLists::commit(std::uint32_t txn) {
  for (const std::uint32_t s : stands_of(txn)) {
    const ListPlaces::Stand& stand = lists_.stands()[s];
    if (lists_.lines()[stand.line].is_certain) {
      std::uint32_t& length = length_[stand.line];
      length_before_.push_back(length);
      const ListPlaces::Place* place = place_at(stand, length);
      length = place != nullptr ? place->end : kBehind;
    }
  }
}

void GrowingLists::take_back_start(std::uint32_t txn) {
  for (const std::uint32_t r : readings_of(txn)) {
    const ListPlaces::Reading& reading = lists_.readings()[r];
    ++left_[reading.line][reading.length];
  }
}

void GrowingLists::take_back_commit(std::uint32_t txn) {
  const std::span<const std::uint32_t> stands = stands_of(txn);
  for (std::size_t i = stands.size(); i-- > 0;) {
    const ListPlaces::Stand& stand = lists_.stands()[stands[i]];
    if (lists_.lines()[stand.line].is_certain) {
      length_[stand.line] = length_before_.back();
      length_before_.pop_back();
    }
  }
}

const ListPlaces::Place* GrowingLists::place_at(const ListPlaces::Stand& stand,
                                                std::uint32_t length) const {
  for (std::uint32_t i = 0; i < stand.place_count; ++i) {
    const ListPlaces::Place& place = lists_.places()[stand.first_place + i];
    if (place.begin == length && place.state != ListPlaces::State::kStruck) {
      return &place;
    }
  }
  return nullptr;
}

bool GrowingLists::comes_next(const ListPlaces::Stand& stand) const {
  const std::uint32_t length = length_[stand.line];
  const bool is_end = length == lists_.lines()[stand.line].length &&
                      stand.state != ListPlaces::Stand::State::kInside;
  return length == kBehind || is_end || place_at(stand, length) != nullptr;
}

/// Whether another reader needs the list as it is. `starts`: the transaction starts at this event,
/// and has not read yet.
bool GrowingLists::others_read(const ListPlaces::Stand& stand, bool starts) const {
  const std::uint32_t length = length_[stand.line];
  if (length == kBehind) {
    return false;
  }
  std::uint32_t others = left_[stand.line][length];
  for (const std::uint32_t r : starts ? readings_of(stand.txn) : std::span<const std::uint32_t>()) {
    const ListPlaces::Reading& reading = lists_.readings()[r];
    others -= reading.line == stand.line && reading.length == length ? 1U : 0U;
  }
  return others > 0;
}

}  // namespace elapid
