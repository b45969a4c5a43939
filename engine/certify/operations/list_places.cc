#include "engine/certify/operations/list_places.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/certify/operations/participants.h"

namespace elapid::certify {

ListPlaces::ListPlaces(const History& history, const Effects& effects, const ListOrders& lists)
    : history_(history), effects_(effects), orders_(lists) {
  if (!lists.has_repetitions()) {
    return;
  }
  add_lines();
  const std::vector<Appends> appends = collect_appends();
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    add_places(line, appends);
  }
  index();
}

void ListPlaces::add_lines() {
  for (std::uint32_t key = 0; key < history_.key_count(); ++key) {
    lines_.push_back({.key = KeyId{key}, .list = orders_.longest(KeyId{key})});
  }
  is_impossible_.assign(history_.txn_count(), false);
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    if (is_participant(history_, TxnId{t}) && !orders_.took_effect(TxnId{t}) &&
        !effects_.contradicts_itself(TxnId{t})) {
      for (const ExternalRead& read : effects_.reads(TxnId{t})) {
        add_line(TxnId{t}, read);
      }
    }
  }
  std::uint32_t positions = 0;
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    const auto own = static_cast<std::uint32_t>(lines_[l].list.size()) - lines_[l].base;
    lines_[l].first_position = positions;
    line_of_position_.resize(positions += own, l);
  }
}

void ListPlaces::add_line(TxnId reader, const ExternalRead& read) {
  const std::span<const ValueId> list = effects_.list(read);
  const std::span<const ValueId> longest = lines_[read.key().index()].list;
  const std::size_t common = std::min(list.size(), longest.size());
  if (!std::ranges::equal(list.first(common), longest.first(common))) {
    is_impossible_[reader.index()] = true;
  } else if (list.size() <= longest.size()) {
    cuts_.push_back({read.key().value, static_cast<std::uint32_t>(list.size()), reader});
  } else {
    lines_.push_back({.key = read.key(),
                      .reader = reader,
                      .base = static_cast<std::uint32_t>(longest.size()),
                      .list = list});
  }
}

/// By key.
std::vector<ListPlaces::Appends> ListPlaces::collect_appends() const {
  std::vector<Appends> appends;
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    const bool is_possible = is_participant(history_, TxnId{t}) &&
                             !effects_.contradicts_itself(TxnId{t}) && !is_impossible(TxnId{t});
    for (const FinalWrite& write :
         is_possible ? effects_.writes(TxnId{t}) : std::span<const FinalWrite>()) {
      Appends& own = appends.emplace_back(
          Appends{write.key, TxnId{t}, length_read(TxnId{t}, write.key).value_or(0)});
      for (const Op op : effective_ops(history_, TxnId{t})) {
        if (op.is_write() && op.key() == write.key) {
          own.elements.push_back(op.value());
        }
      }
    }
  }
  std::ranges::stable_sort(appends, {}, &Appends::key);
  return appends;
}

/// By length: whether some transaction certainly read so much.
std::vector<bool> ListPlaces::certain_ends(std::uint32_t line) const {
  std::vector<bool> ends(lines_[line].list.size() + 1, false);
  for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
    const std::optional<std::uint32_t> length =
        orders_.took_effect(TxnId{t}) ? length_read(TxnId{t}, lines_[line].key) : std::nullopt;
    if (length && *length < ends.size()) {
      ends[*length] = true;
    }
  }
  return ends;
}

/// Whether every element was appended as often as the list shows it.
bool ListPlaces::has_enough(std::span<const ValueId> list, std::span<const Appends> appends) {
  std::vector<ValueId> shown(list.begin(), list.end());
  std::vector<ValueId> appended;
  for (const Appends& own : appends) {
    appended.insert(appended.end(), own.elements.begin(), own.elements.end());
  }
  std::ranges::sort(shown);
  std::ranges::sort(appended);
  return std::ranges::includes(appended, shown);
}

void ListPlaces::add_places(std::uint32_t line, std::span<const Appends> all) {
  const Line& where = lines_[line];
  const auto appends = std::ranges::equal_range(all, where.key, {}, &Appends::key);
  is_contradictory_ =
      is_contradictory_ || (where.reader.is_none() && !has_enough(where.list, std::span(appends)));
  const std::vector<bool> ends = certain_ends(line);
  std::vector<std::pair<ValueId, std::uint32_t>> positions;
  for (auto p = where.base; p < where.list.size(); ++p) {
    positions.emplace_back(where.list[p], p);
  }
  std::ranges::sort(positions);
  for (const Appends& own : appends) {
    const std::span<const ValueId> elements = own.elements;
    for (const auto& [element, begin] :
         std::ranges::equal_range(positions, elements.front(), {},
                                  [](const auto& position) { return position.first; })) {
      const auto end = begin + static_cast<std::uint32_t>(elements.size());
      const bool fits =
          begin >= own.read && end <= where.list.size() &&
          std::ranges::equal(elements, where.list.subspan(begin, elements.size())) &&
          std::find(ends.begin() + begin + 1, ends.begin() + end, true) == ends.begin() + end;
      if (fits) {
        places_.push_back({line, own.txn, begin, end});
      }
    }
  }
}

void ListPlaces::index() {
  by_txn_.resize(places_.size());
  std::iota(by_txn_.begin(), by_txn_.end(), 0U);
  std::ranges::stable_sort(by_txn_, {}, [this](std::uint32_t p) { return places_[p].txn; });
  txn_begin_.assign(history_.txn_count() + 1, 0);
  covering_begin_.assign(line_of_position_.size() + 1, 0);
  for (const Place& place : places_) {
    ++txn_begin_[place.txn.index() + 1];
    for (std::uint32_t i = 0; i < place.end - place.begin; ++i) {
      ++covering_begin_[first_position(place) + i + 1];
    }
  }
  std::partial_sum(txn_begin_.begin(), txn_begin_.end(), txn_begin_.begin());
  std::partial_sum(covering_begin_.begin(), covering_begin_.end(), covering_begin_.begin());
  covering_.resize(covering_begin_.back());
  std::vector<std::uint32_t> next = covering_begin_;
  for (std::uint32_t p = 0; p < places_.size(); ++p) {
    for (std::uint32_t i = 0; i < places_[p].end - places_[p].begin; ++i) {
      covering_[next[first_position(places_[p]) + i]++] = p;
    }
  }
}

std::span<const std::uint32_t> ListPlaces::of(TxnId txn) const {
  if (txn_begin_.empty()) {
    return {};
  }
  return std::span(by_txn_).subspan(txn_begin_[txn.index()],
                                    txn_begin_[txn.index() + 1] - txn_begin_[txn.index()]);
}

std::optional<std::uint32_t> ListPlaces::line_of(KeyId key) const {
  return key.index() < lines_.size() ? std::optional(key.value) : std::nullopt;
}

std::optional<std::uint32_t> ListPlaces::line_of(TxnId reader, KeyId key) const {
  const auto line = std::ranges::find_if(
      lines_, [&](const Line& l) { return l.key == key && l.reader == reader; });
  return line == lines_.end() || reader.is_none()
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(line - lines_.begin()));
}

std::optional<std::uint32_t> ListPlaces::length_read(TxnId reader, KeyId key) const {
  const auto reads = effects_.reads(reader);
  const auto read = std::ranges::lower_bound(reads, key, {}, &ExternalRead::key);
  return read == reads.end() || read->key() != key
             ? std::nullopt
             : std::optional(static_cast<std::uint32_t>(effects_.list(*read).size()));
}

std::optional<std::uint32_t> ListPlaces::find(TxnId reader, KeyId key, TxnId txn,
                                              std::uint32_t length) const {
  const auto line = orders_.took_effect(reader) ? line_of(key) : line_of(reader, key);
  for (const std::uint32_t p : of(txn)) {
    if (places_[p].line == line && places_[p].end == length) {
      return p;
    }
  }
  return std::nullopt;
}

std::vector<TxnId> ListPlaces::cut_by(std::uint32_t place) const {
  std::vector<TxnId> readers;
  const Place& p = places_[place];
  for (const Cut& cut : cuts_) {
    if (cut.line == p.line && p.begin < cut.length && cut.length < p.end) {
      readers.push_back(cut.reader);
    }
  }
  return readers;
}

std::vector<std::uint32_t> ListPlaces::cuts_of(TxnId reader) const {
  std::vector<std::uint32_t> places;
  for (const Cut& cut : cuts_) {
    if (cut.reader != reader || cut.length == 0 || cut.length == lines_[cut.line].list.size()) {
      continue;
    }
    for (const std::uint32_t p : covering(lines_[cut.line].first_position + cut.length)) {
      if (places_[p].begin < cut.length) {
        places.push_back(p);
      }
    }
  }
  return places;
}

}  // namespace elapid::certify
