// The part of Choices about places in lists with repeated elements.
#include <algorithm>

#include "engine/certify/kernel/choices.h"
#include "engine/certify/operations/participants.h"

namespace elapid::certify {

bool Choices::open_places() {
  open_at_.assign(places_.position_count(), 0);
  mixed_at_.assign(places_.position_count(), 0);
  for (std::uint32_t p = 0; p < places_.places().size(); ++p) {
    const ListPlaces::Place& place = places_.places()[p];
    if (clauses_.is_false(fate_of(place.txn)) ||
        clauses_.is_false(counts(places_.lines()[place.line]))) {
      stands_.push_back(Clauses::kFalse);
    } else {
      stands_.push_back(make({.kind = Choice::Kind::kReads, .place = p}));
      count_place(p, 1);
    }
  }
  return settle_positions(0, places_.position_count());
}

std::optional<Literal> Choices::place_literal(const Choice& choice) const {
  if (!is_participant(history_, choice.first) || !is_participant(history_, choice.second)) {
    return std::nullopt;
  }
  const std::optional<std::uint32_t> length = places_.length_read(choice.first, choice.key);
  if (!length || *length < choice.length) {
    return std::nullopt;
  }
  const auto place = places_.find(choice.first, choice.key, choice.second, choice.length);
  return place ? stands_[*place] : std::optional<Literal>();
}

/// The literal that the reader of the list took effect.
Literal Choices::counts(const ListPlaces::Line& line) const {
  return line.reader.is_none() ? Clauses::kTrue : fate_of(line.reader);
}

void Choices::count_place(std::uint32_t place, std::uint32_t by) {
  const ListPlaces::Place& p = places_.places()[place];
  for (std::uint32_t i = 0; i < p.end - p.begin; ++i) {
    open_at_[places_.first_position(p) + i] += by;
    mixed_at_[places_.first_position(p) + i] ^= place;
  }
}

/// If the list counts and one place is left that covers the position, that place is taken.
bool Choices::settle_position(std::uint32_t position) {
  const Literal force = counts(places_.lines()[places_.line_of_position(position)]);
  if (open_at_[position] == 0) {
    return clauses_.imply(~force);
  }
  return open_at_[position] > 1 || !clauses_.is_true(force) ||
         clauses_.imply(stands_[mixed_at_[position]]);
}

bool Choices::settle_positions(std::uint32_t first, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!settle_position(first + i)) {
      return false;
    }
  }
  return true;
}

/// Settles a place: transaction and reader took effect, no other transaction stands there, and this
/// one stands nowhere else, except in lists of other readers that agree.
bool Choices::take_place(std::uint32_t place) {
  const ListPlaces::Place& p = places_.places()[place];
  const ListPlaces::Line& line = places_.lines()[p.line];
  bool is_possible = clauses_.imply(fate_of(p.txn)) && clauses_.imply(counts(line));
  for (const std::uint32_t other : places_.of(p.txn)) {
    const std::uint32_t l = places_.places()[other].line;
    const bool excludes =
        l == p.line || (places_.lines()[l].key == line.key &&
                        (line.reader.is_none() || places_.lines()[l].reader.is_none()));
    is_possible = is_possible && (other == place || !excludes || clauses_.imply(~stands_[other]));
  }
  for (std::uint32_t i = 0; i < p.end - p.begin; ++i) {
    for (const std::uint32_t other : places_.covering(places_.first_position(p) + i)) {
      is_possible = is_possible && (other == place || clauses_.imply(~stands_[other]));
    }
  }
  for (const TxnId reader : places_.cut_by(place)) {
    is_possible = is_possible && clauses_.imply(~fate_of(reader));
  }
  return is_possible;
}

bool Choices::vacate_place(std::uint32_t place) {
  const ListPlaces::Place& p = places_.places()[place];
  count_place(place, static_cast<std::uint32_t>(-1));
  return settle_positions(places_.first_position(p), p.end - p.begin);
}

/// What an indeterminate transaction read counts, now that it took effect.
bool Choices::settle_lists_of(TxnId reader) {
  for (const ListPlaces::Line& line : places_.lines()) {
    if (line.reader == reader &&
        !settle_positions(line.first_position,
                          static_cast<std::uint32_t>(line.list.size()) - line.base)) {
      return false;
    }
  }
  return std::ranges::all_of(places_.cuts_of(reader), [this](std::uint32_t place) {
    return clauses_.imply(~stands_[place]);
  });
}

/// Rules out all places of the transaction, and all places in the lists that it read.
bool Choices::rule_out_places(TxnId txn) {
  const auto is_ruled_out = [this](std::uint32_t place) { return clauses_.imply(~stands_[place]); };
  if (!std::ranges::all_of(places_.of(txn), is_ruled_out)) {
    return false;
  }
  for (const ListPlaces::Line& line : places_.lines()) {
    for (std::uint32_t i = line.base; i < line.list.size() && line.reader == txn; ++i) {
      if (!std::ranges::all_of(places_.covering(line.first_position + i - line.base),
                               is_ruled_out)) {
        return false;
      }
    }
  }
  return true;
}

const ListPlaces::Place* Choices::stand_in(TxnId txn, std::uint32_t line) const {
  for (const std::uint32_t p : places_.of(txn)) {
    if (places_.places()[p].line == line && clauses_.is_true(stands_[p])) {
      return &places_.places()[p];
    }
  }
  return nullptr;
}

bool Choices::is_not_in(TxnId txn, std::uint32_t line) const {
  return std::ranges::all_of(places_.of(txn), [&](std::uint32_t p) {
    return places_.places()[p].line != line || clauses_.is_false(stands_[p]);
  });
}

/// A transaction without a place in a list that counts follows all those with a place, or did not
/// take effect.
bool Choices::appended_before(TxnId first, TxnId second, KeyId key) const {
  const std::optional<std::uint32_t> trunk = places_.line_of(key);
  for (const std::uint32_t p : places_.of(first)) {
    const ListPlaces::Place& place = places_.places()[p];
    if (places_.lines()[place.line].key != key || !clauses_.is_true(stands_[p])) {
      continue;
    }
    const ListPlaces::Place* other = stand_in(second, place.line);
    if (other != nullptr ? other->begin >= place.end
                         : is_not_in(second, place.line) && is_not_in(second, *trunk)) {
      return true;
    }
  }
  return false;
}

bool Choices::shows(TxnId reader, KeyId key, TxnId writer) const {
  const std::optional<std::uint32_t> trunk = places_.line_of(key);
  const std::optional<std::uint32_t> length = places_.length_read(reader, key);
  if (!trunk || !length || !clauses_.is_true(fate_of(reader))) {
    return false;
  }
  const ListPlaces::Place* in_trunk = stand_in(writer, *trunk);
  const std::optional<std::uint32_t> own = places_.line_of(reader, key);
  return (in_trunk != nullptr && in_trunk->end <= *length) ||
         (own && stand_in(writer, *own) != nullptr);
}

bool Choices::precedes(TxnId reader, KeyId key, TxnId writer) const {
  const std::optional<std::uint32_t> trunk = places_.line_of(key);
  const std::optional<std::uint32_t> length = places_.length_read(reader, key);
  if (!trunk || !length || !clauses_.is_true(fate_of(reader))) {
    return false;
  }
  const std::optional<std::uint32_t> own = places_.line_of(reader, key);
  const ListPlaces::Place* in_trunk = stand_in(writer, *trunk);
  if (in_trunk != nullptr) {
    return in_trunk->begin >= *length;
  }
  return is_not_in(writer, *trunk) && (!own || is_not_in(writer, *own));
}

}  // namespace elapid::certify
