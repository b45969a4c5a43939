#include "engine/solve/list_places.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace elapid {

namespace {

/// Positions that all places together cover at most.
constexpr std::size_t kMaxCovered = 50'000'000;
/// Elements compared between two calls of `keep_going`.
constexpr std::size_t kComparedBetweenQuestions = 1U << 16U;

}  // namespace

class ListPlaces::Builder {
 public:
  Builder(const History& history, const Footprints& footprints, std::vector<bool> possible,
          const std::function<bool()>& keep_going, ListPlaces& out)
      : history_(history),
        footprints_(footprints),
        possible_(std::move(possible)),
        keep_going_(keep_going),
        out_(out) {}

  void build(std::span<const AmbiguousList> keys) {
    out_.is_ambiguous_.assign(history_.key_count(), false);
    line_of_key_.assign(history_.key_count(), kNone);
    for (const AmbiguousList& key : keys) {
      out_.is_ambiguous_[key.key.index()] = true;
      line_of_key_[key.key.index()] = add_trunk(key);
    }
    each_list([this](std::uint32_t t, const Touch& touch) { check_prefix(t, touch); });
    each_list([this](std::uint32_t t, const Touch& touch) { read_line(t, touch); });
    std::ranges::sort(out_.readings_, {}, [](const Reading& reading) {
      return std::tuple(reading.line, reading.length, reading.txn);
    });
    number_versions();
    collect_writers();
    for (std::uint32_t l = 0; l < out_.lines_.size(); ++l) {
      if (out_.lines_[l].is_certain) {
        check_counts(l);
      }
      if (!add_stands(l)) {
        const std::string key = history_.shown_key(out_.lines_[l].key);
        out_.was_stopped_ = covered_ <= kMaxCovered;
        out_.unclear_ = out_.was_stopped_
                            ? "the budget was reached while placing the elements of key " + key
                            : "there are too many ways in which the elements of key " + key +
                                  " may have been appended";
        return;
      }
    }
    index();
  }

 private:
  struct Writer {
    KeyId key;
    std::uint32_t txn = 0;
    std::uint32_t read = 0;  // the length of the prefix that it read; its elements come after
    std::vector<ValueId> elements = {};
  };

  std::uint32_t add_trunk(const AmbiguousList& key) {
    const auto line = static_cast<std::uint32_t>(out_.lines_.size());
    out_.lines_.push_back({.key = key.key,
                           .reader = key.reader.is_none() ? kNone : key.reader.value,
                           .trunk = line,
                           .length = static_cast<std::uint32_t>(key.longest.size())});
    lists_.push_back(key.longest);
    return line;
  }

  template <class Visit>
  void each_list(Visit visit) {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (!possible_[t]) {
        continue;
      }
      for (const Touch& touch : footprints_.of({t})) {
        if (touch.read_mop != Touch::kNoMop && out_.is_ambiguous_[touch.key.index()]) {
          visit(t, touch);
        }
      }
    }
  }

  [[nodiscard]] std::span<const ValueId> list_of(std::uint32_t t, const Touch& touch) const {
    const Op read = history_.ops({t})[touch.read_mop];
    return shown_list(history_, read).first(touch.external_length);
  }

  void check_prefix(std::uint32_t t, const Touch& touch) {
    const std::span<const ValueId> list = list_of(t, touch);
    const std::span<const ValueId> trunk = lists_[line_of_key_[touch.key.index()]];
    const std::size_t common = std::min(trunk.size(), list.size());
    if (list.data() != trunk.data() &&
        !std::ranges::equal(list.first(common), trunk.first(common))) {
      out_.impossible_.push_back(t);  // a certain reader contradicts; ListChains reports it
      possible_[t] = false;
    }
  }

  void read_line(std::uint32_t t, const Touch& touch) {
    const std::span<const ValueId> list = list_of(t, touch);
    std::uint32_t line = line_of_key_[touch.key.index()];
    const std::span<const ValueId> trunk = lists_[line];
    if (list.size() > trunk.size()) {
      out_.lines_.push_back({.key = touch.key,
                             .reader = t,
                             .is_certain = false,
                             .trunk = line,
                             .base = static_cast<std::uint32_t>(trunk.size()),
                             .length = touch.external_length});
      lists_.push_back(list);
      line = static_cast<std::uint32_t>(out_.lines_.size() - 1);
    }
    out_.readings_.push_back({.txn = t,
                              .line = line,
                              .length = touch.external_length,
                              .is_certain = out_.certain_[t],
                              .appends = !touch.write.is_none()});
  }

  void number_versions() {
    std::uint32_t positions = 0;
    for (std::uint32_t l = 0; l < out_.lines_.size(); ++l) {
      Line& line = out_.lines_[l];
      const std::uint32_t own = line.length - line.base;
      line.first_version = out_.version_count_;
      line.first_position = positions;
      positions += own;
      out_.version_count_ += line.is_certain ? 2 * (own + 1) : own;
      out_.line_of_version_.resize(out_.version_count_, l);
    }
    out_.open_at_.assign(positions, 0);
  }

  [[nodiscard]] std::uint32_t length_read(std::uint32_t t, KeyId key) const {
    const std::span<const Touch> touches = footprints_.of({t});
    const auto touch = std::ranges::find(touches, key, &Touch::key);
    return touch == touches.end() ? 0 : touch->external_length;
  }

  void collect_writers() {
    for (std::uint32_t t = 0; t < history_.txn_count(); ++t) {
      if (!possible_[t]) {
        continue;
      }
      for (const Op op : history_.ops({t})) {
        if (op.kind() != OpKind::kAppend || !out_.is_ambiguous_[op.key().index()]) {
          continue;
        }
        const auto own = std::find_if(writers_.rbegin(), writers_.rend(), [&](const Writer& w) {
          return w.txn != t || w.key == op.key();
        });
        if (own == writers_.rend() || own->txn != t) {
          writers_.push_back({op.key(), t, length_read(t, op.key())});
          writers_.back().elements.push_back(op.value());
        } else {
          own->elements.push_back(op.value());
        }
      }
    }
    std::ranges::stable_sort(writers_, {}, &Writer::key);
  }

  /// Checks that no element is shown more often than it was appended. No single position shows
  /// this.
  void check_counts(std::uint32_t l) {
    std::vector<ValueId> shown(lists_[l].begin(), lists_[l].end());
    std::vector<ValueId> appended;
    for (const Writer& w :
         std::ranges::equal_range(writers_, out_.lines_[l].key, {}, &Writer::key)) {
      appended.insert(appended.end(), w.elements.begin(), w.elements.end());
    }
    std::ranges::sort(shown);
    std::ranges::sort(appended);
    if (!std::ranges::includes(appended, shown)) {
      out_.is_contradictory_ = true;
      out_.contradiction_ = out_.lines_[l].key;
    }
  }

  /// By position p of the line, the end of the first version from p on that was certainly
  /// read: no place goes beyond it.
  [[nodiscard]] std::vector<std::uint32_t> limits(std::uint32_t l) const {
    const Line& line = out_.lines_[l];
    std::vector<std::uint32_t> limit(line.length + std::size_t{1}, line.length);
    for (const Reading& reading : out_.readings_) {
      if (reading.line == l && reading.is_certain && reading.length > 0) {
        limit[reading.length - 1] = reading.length;
      }
    }
    for (std::uint32_t p = line.length; p-- > 0;) {
      if (limit[p] != p + 1) {
        limit[p] = limit[p + 1];
      }
    }
    return limit;
  }

  /// Returns false if the places cover too much or `keep_going` returns false.
  bool add_stands(std::uint32_t l) {
    const Line& line = out_.lines_[l];
    const std::span<const ValueId> list = lists_[l];
    std::vector<std::pair<ValueId, std::uint32_t>> positions;
    for (std::uint32_t p = line.base; p < line.length; ++p) {
      positions.emplace_back(list[p], p);
    }
    std::ranges::sort(positions);
    const std::vector<std::uint32_t> limit = limits(l);
    for (const Writer& w : std::ranges::equal_range(writers_, line.key, {}, &Writer::key)) {
      const std::size_t first = out_.places_.size();
      const auto starts = std::ranges::equal_range(positions, w.elements.front(), {},
                                                   [](const auto& entry) { return entry.first; });
      for (const auto& [element, p] : starts) {
        const std::size_t end = p + w.elements.size();
        if (!may_compare(w.elements.size())) {
          return false;
        }
        if (p >= w.read && end <= limit[p] &&
            std::ranges::equal(list.subspan(p, w.elements.size()), w.elements)) {
          out_.places_.push_back({l, w.txn, p, static_cast<std::uint32_t>(end)});
          out_.stand_of_place_.push_back(static_cast<std::uint32_t>(out_.stands_.size()));
          covered_ += w.elements.size();
        }
      }
      const auto count = static_cast<std::uint32_t>(out_.places_.size() - first);
      out_.stands_.push_back({l, w.txn, static_cast<std::uint32_t>(first), count, count});
    }
    return covered_ <= kMaxCovered;
  }

  /// Whether the budget suffices for comparing so many elements.
  bool may_compare(std::size_t elements) {
    compared_ += elements + 1;
    if (compared_ >= kComparedBetweenQuestions) {
      compared_ = 0;
      return covered_ <= kMaxCovered && (!keep_going_ || keep_going_());
    }
    return covered_ <= kMaxCovered;
  }

  void index() {
    const auto txn_count = static_cast<std::uint32_t>(history_.txn_count());
    out_.readings_of_ = places_by_row(txn_count, out_.readings_, &txn_of<Reading>);
    out_.stands_of_ = places_by_row(txn_count, out_.stands_, &txn_of<Stand>);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> covering;
    for (std::uint32_t p = 0; p < out_.places_.size(); ++p) {
      const Place& place = out_.places_[p];
      const Line& line = out_.lines_[place.line];
      for (std::uint32_t i = place.begin; i < place.end; ++i) {
        const std::uint32_t position = line.first_position + i - line.base;
        covering.emplace_back(position, p);
        ++out_.open_at_[position];
      }
    }
    out_.covering_ = Adjacency(static_cast<std::uint32_t>(out_.open_at_.size()), covering,
                               [](const auto& entry) { return entry; });
  }

  template <class Item>
  static std::uint32_t txn_of(const Item& item) {
    return item.txn;
  }

  const History& history_;
  const Footprints& footprints_;
  std::vector<bool> possible_;
  const std::function<bool()>& keep_going_;
  ListPlaces& out_;
  std::vector<std::uint32_t> line_of_key_;
  std::vector<std::span<const ValueId>> lists_;  // by line
  std::vector<Writer> writers_;                  // by key
  std::size_t covered_ = 0;                      // positions that places cover
  std::size_t compared_ = 0;                     // elements, since `keep_going_` was asked
};

ListPlaces::ListPlaces(const History& history, const Footprints& footprints,
                       std::span<const AmbiguousList> keys, const std::vector<bool>& certain,
                       const std::vector<bool>& possible, const std::function<bool()>& keep_going)
    : certain_(certain) {
  if (keys.empty()) {
    return;
  }
  Builder(history, footprints, possible, keep_going, *this).build(keys);
  if (!unclear_.empty()) {
    lines_.clear();
    places_.clear();
    stands_.clear();
    readings_.clear();
    version_count_ = 0;
    return;
  }
  for (std::uint32_t l = 0; l < lines_.size(); ++l) {
    for (std::uint32_t i = lines_[l].base; i < lines_[l].length && lines_[l].is_certain; ++i) {
      const std::span<const std::uint32_t> all = covering(l, i);
      if (all.empty()) {
        is_contradictory_ = true;
        contradiction_ = lines_[l].key;
      } else if (all.size() == 1) {
        work_.emplace_back(all.front(), State::kTaken);
      }
    }
  }
  work_off();
  for (std::uint32_t t = 0; t < certain.size(); ++t) {
    if (certain[t]) {
      note_certain(t);
    }
  }
}

std::pair<std::uint32_t, std::uint32_t> ListPlaces::readings_at(std::uint32_t line,
                                                                std::uint32_t length) const {
  const auto all = std::ranges::equal_range(
      readings_, std::pair(line, length), {},
      [](const Reading& reading) { return std::pair(reading.line, reading.length); });
  return {static_cast<std::uint32_t>(all.begin() - readings_.begin()),
          static_cast<std::uint32_t>(all.end() - readings_.begin())};
}

const ListPlaces::Stand& ListPlaces::trunk_stand(const Stand& stand) const {
  for (const std::uint32_t s : stands_of(stand.txn)) {
    if (stands_[s].line == lines_[stand.line].trunk) {
      return stands_[s];
    }
  }
  return stand;
}

std::uint32_t ListPlaces::version(std::uint32_t line, std::uint32_t length) const {
  const Line& l = lines_[line];
  if (l.is_certain) {
    return l.first_version + length;
  }
  return length == l.base ? version(l.trunk, length) : l.first_version + length - l.base - 1;
}

std::uint32_t ListPlaces::unread(std::uint32_t line, std::uint32_t length) const {
  const Line& trunk = lines_[lines_[line].trunk];
  return trunk.first_version + trunk.length + 1 + std::min(length, trunk.length);
}

bool ListPlaces::is_unread(std::uint32_t version) const {
  const Line& line = lines_[line_of_version_[version]];
  return line.is_certain && version - line.first_version > line.length;
}

const ListPlaces::Place& ListPlaces::place_of(const Stand& stand) const {
  std::uint32_t p = stand.first_place;
  while (places_[p].state != State::kTaken) {
    ++p;
  }
  return places_[p];
}

void ListPlaces::exclude(std::uint32_t place) {
  work_.emplace_back(place, State::kStruck);
  work_off();
}

void ListPlaces::note_certain(std::uint32_t txn) {
  if (lines_.empty()) {
    return;
  }
  certain_[txn] = true;
  for (const std::uint32_t s : stands_of(txn)) {
    Stand& stand = stands_[s];
    if (stand.open == 0 && stand.state == Stand::State::kOpen && lines_[stand.line].is_certain) {
      stand.state = Stand::State::kBehind;
      settled_.push_back(s);
    }
  }
}

void ListPlaces::work_off() {
  while (!work_.empty() && !is_contradictory_) {
    const auto [place, state] = work_.back();
    work_.pop_back();
    if (places_[place].state == State::kOpen) {
      places_[place].state = state;
      if (state == State::kTaken) {
        take(place);
      } else {
        strike(place);
      }
    } else if (places_[place].state != state) {
      is_contradictory_ = true;
      contradiction_ = lines_[places_[place].line].key;
    }
  }
  work_.clear();
}

/// Strikes a place. If one transaction is left at a position of a certain line, it stands there.
void ListPlaces::strike(std::uint32_t place) {
  const Place& p = places_[place];
  const Line& line = lines_[p.line];
  for (std::uint32_t i = p.begin; i < p.end; ++i) {
    const std::uint32_t open = --open_at_[line.first_position + i - line.base];
    if (!line.is_certain || open > 1) {
      continue;
    }
    if (open == 0) {
      is_contradictory_ = true;
      contradiction_ = line.key;
      return;
    }
    const std::span<const std::uint32_t> all = covering(p.line, i);
    const auto left = std::ranges::find_if(
        all, [this](std::uint32_t other) { return places_[other].state != State::kStruck; });
    work_.emplace_back(*left, State::kTaken);
  }
  --stands_[stand_of_place_[place]].open;
  if (certain_[p.txn]) {
    note_certain(p.txn);
  }
}

/// Settles a place: no other transaction stands there, and the transaction stands nowhere else.
void ListPlaces::take(std::uint32_t place) {
  const Place& p = places_[place];
  const std::uint32_t stand = stand_of_place_[place];
  stands_[stand].state = Stand::State::kInside;
  settled_.push_back(stand);
  for (const std::uint32_t s : stands_of(p.txn)) {
    for (std::uint32_t i = 0; i < stands_[s].place_count; ++i) {
      const std::uint32_t other = stands_[s].first_place + i;
      if (lines_[places_[other].line].key == lines_[p.line].key && other != place &&
          places_[other].state != State::kStruck) {
        work_.emplace_back(other, State::kStruck);
      }
    }
  }
  for (std::uint32_t i = p.begin; i < p.end; ++i) {
    for (const std::uint32_t other : covering(p.line, i)) {
      if (other != place && places_[other].state != State::kStruck) {
        work_.emplace_back(other, State::kStruck);
      }
    }
  }
}

}  // namespace elapid
