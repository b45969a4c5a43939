#include "tests/oracle/axioms.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace elapid {

namespace {

constexpr std::size_t kMaxTxns = 7;
constexpr std::uint64_t kMaxAssignments = 3000;
constexpr int kInitial = -1;

/// An external read: of registers the value seen, of lists the elements but for own ones.
struct Reading {
  int reader = 0;
  KeyId key;
  std::vector<ValueId> seen = {};
  bool is_list = false;
  bool is_unwritten = false;  // read by both names of the initial state
  std::size_t mop = 0;
  int source = kInitial;
};

class Axiom {
 public:
  /// `shape`: what is forbidden of cycles, if the level is defined by that.
  Axiom(const History& history, const TxnLevels& levels, std::optional<CycleShape> shape,
        std::vector<TxnId> txns)
      : history_(history),
        levels_(levels),
        shape_(shape),
        txns_(std::move(txns)),
        n_(static_cast<int>(txns_.size())) {}

  [[nodiscard]] std::optional<bool> holds() {
    if (!read_all()) {
      return false;
    }
    const bool has_lists =
        std::ranges::any_of(readings_, [](const Reading& reading) { return reading.is_list; });
    return has_lists ? holds_in_some_order() : holds_for_some_sources();
  }

 private:
  [[nodiscard]] std::span<const Op> ops(int t) const {
    return history_.ops(txns_[static_cast<std::size_t>(t)]);
  }

  [[nodiscard]] bool committed(int t) const {
    return history_.committed(txns_[static_cast<std::size_t>(t)]);
  }

  [[nodiscard]] OrderLevel level(int t) const {
    return levels_.of(txns_[static_cast<std::size_t>(t)]);
  }

  [[nodiscard]] bool reads_one_state(int t) const {
    return level(t).visibility <= Visibility::kReadAtomic;
  }

  /// Adya's read committed, cursor stability, and monotonic atomic view.
  [[nodiscard]] bool says_nothing_of_own_writes(int t) const {
    return level(t).visibility >= Visibility::kNothing ||
           (level(t).visibility == Visibility::kReadCommitted && !level(t).sessions);
  }

  [[nodiscard]] bool is_initial(ValueId value) const {
    return value.is_nil() || value == history_.info().initial;
  }

  /// False if some transaction contradicts itself.
  bool read_all() {
    for (int t = 0; t < n_; ++t) {
      const auto all = ops(t);
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_unknown =
            all[i].kind() == OpKind::kRead && all[i].value().is_nil() && !committed(t);
        const bool counts = !levels_.reads_anything(txns_[static_cast<std::size_t>(t)]);
        if (all[i].is_read() && counts && !is_unknown && !read_one(t, all.first(i), all[i])) {
          return false;
        }
      }
    }
    return true;
  }

  bool read_one(int t, std::span<const Op> before, Op read) {
    std::vector<ValueId> own;
    for (const Op op : before) {
      if (op.is_write() && op.key() == read.key()) {
        own.push_back(op.value());
      }
    }
    Reading reading = {.reader = t, .key = read.key(), .mop = before.size()};
    const bool has_lists = std::ranges::any_of(history_.all_ops(), [](Op op) {
      return op.kind() == OpKind::kAppend || op.kind() == OpKind::kReadList;
    });
    if (has_lists) {
      const std::span<const ValueId> list =
          read.kind() == OpKind::kReadList ? history_.elements(read) : std::span<const ValueId>();
      if (list.size() < own.size() || !std::equal(own.rbegin(), own.rend(), list.rbegin())) {
        return says_nothing_of_own_writes(t) && may_have_been_shown(t, before, read);
      }
      reading.is_list = true;
      reading.seen.assign(list.begin(), list.end() - static_cast<std::ptrdiff_t>(own.size()));
    } else if (!own.empty()) {
      return own.back() == read.value() ||
             (says_nothing_of_own_writes(t) && may_have_been_shown(t, before, read));
    } else {
      reading.seen = {read.value()};
    }
    return add(reading);
  }

  /// Whether each value that the read shows is initial, or one that the reader had written before,
  /// or that another transaction, which did not abort, left behind; elements behind which others
  /// follow it may have appended at any time.
  [[nodiscard]] bool may_have_been_shown(int t, std::span<const Op> before, Op read) const {
    if (read.kind() != OpKind::kReadList) {
      return is_initial(read.value()) ||
             may_have_been_shown(t, before, read.key(), read.value(), false);
    }
    const std::span<const ValueId> elements = history_.elements(read);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (!may_have_been_shown(t, before, read.key(), elements[i], i + 1 < elements.size())) {
        return false;
      }
    }
    return true;
  }

  [[nodiscard]] bool may_have_been_shown(int t, std::span<const Op> before, KeyId key,
                                         ValueId value, bool is_followed) const {
    const auto writes = [&](Op op) { return op.is_write() && op.key() == key; };
    const auto shows = [&](Op op) { return writes(op) && op.value() == value; };
    if (std::ranges::any_of(before, shows)) {
      return true;
    }
    for (std::uint32_t other = 0; other < history_.txn_count(); ++other) {
      const bool is_aborted = history_.status({other}) == TxnStatus::kAborted;
      if (is_aborted || TxnId{other} == txns_[static_cast<std::size_t>(t)]) {
        continue;
      }
      const std::span<const Op> all = history_.ops({other});
      for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_overwritten = !is_followed && std::ranges::any_of(all.subspan(i + 1), writes);
        if (shows(all[i]) && !is_overwritten) {
          return true;
        }
      }
    }
    return false;
  }

  bool add(const Reading& reading) {
    const auto same = std::ranges::find_if(readings_, [&](const Reading& other) {
      return other.reader == reading.reader && other.key == reading.key;
    });
    if (!reads_one_state(reading.reader) || same == readings_.end()) {
      readings_.push_back(reading);
      return true;
    }
    if (same->seen != reading.seen && !reading.is_list && is_initial(same->seen.front()) &&
        is_initial(reading.seen.front())) {
      same->is_unwritten = true;
      return true;
    }
    return same->seen == reading.seen;
  }

  [[nodiscard]] ValueId last_write(int t, KeyId key) const {
    ValueId value = ValueId::none();
    for (const Op op : ops(t)) {
      if (op.is_write() && op.key() == key) {
        value = op.value();
      }
    }
    return value;
  }

  [[nodiscard]] bool writes(int t, KeyId key) const { return !last_write(t, key).is_none(); }

  [[nodiscard]] bool writes_anything(int t) const {
    return std::ranges::any_of(ops(t), [](Op op) { return op.is_write(); });
  }

  // Relations, by definition.

  [[nodiscard]] bool so(int a, int b) const {
    const TxnId first = txns_[static_cast<std::size_t>(a)];
    const TxnId second = txns_[static_cast<std::size_t>(b)];
    return committed(a) && history_.session(first) == history_.session(second) && first < second;
  }

  [[nodiscard]] bool wr(int a, int b) const {
    return std::ranges::any_of(readings_, [&](const Reading& reading) {
      return reading.source == a && reading.reader == b;
    });
  }

  template <class Relation>
  [[nodiscard]] bool some(Relation relation) const {
    for (int t = 0; t < n_; ++t) {
      if (relation(t)) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] bool leads(int a, int b) const {
    std::vector<int> pending = {a};
    std::vector<bool> reached(static_cast<std::size_t>(n_), false);
    while (!pending.empty()) {
      const int t = pending.back();
      pending.pop_back();
      for (int next = 0; next < n_; ++next) {
        const bool is_step = wr(t, next) || (level(next).sessions && so(t, next));
        if (!reached[static_cast<std::size_t>(next)] && is_step) {
          reached[static_cast<std::size_t>(next)] = true;
          pending.push_back(next);
        }
      }
    }
    return reached[static_cast<std::size_t>(b)];
  }

  [[nodiscard]] bool is_visible(int t, std::size_t read) const {
    const int reader = readings_[read].reader;
    const bool ryw = so(t, reader);
    const auto mr = [&] { return some([&](int a) { return wr(t, a) && so(a, reader); }); };
    const auto mw = [&] { return some([&](int b) { return so(t, b) && wr(b, reader); }); };
    switch (level(reader).visibility) {
      case Visibility::kReadCommitted:
        for (std::size_t i = 0; i < read; ++i) {
          if (readings_[i].reader == reader && readings_[i].source == t) {
            return true;
          }
        }
        return false;
      case Visibility::kReadAtomic:
        return wr(t, reader) || (level(reader).sessions && so(t, reader));
      case Visibility::kCausal:
        return leads(t, reader);
      case Visibility::kReadYourWrites:
        return ryw;
      case Visibility::kMonotonicReads:
        return mr();
      case Visibility::kMonotonicWrites:
        return mw();
      case Visibility::kWritesFollowReads:
        return some([&](int b) {
          return wr(b, reader) && some([&](int a) { return wr(t, a) && (a == b || so(a, b)); });
        });
      case Visibility::kPram:
        return ryw || mr() || mw();
      default:
        return false;
    }
  }

  /// What every commit order of the level contains.
  [[nodiscard]] bool must_precede(int a, int b) const {
    const bool in_real_time = level(b).real_time && history_.info().has_real_time && committed(a) &&
                              history_.has_invocation(txns_[static_cast<std::size_t>(b)]) &&
                              history_.completion_id(txns_[static_cast<std::size_t>(a)]) <
                                  history_.invocation_id(txns_[static_cast<std::size_t>(b)]);
    if (wr(a, b) || in_real_time ||
        (txns_[static_cast<std::size_t>(a)] == history_.info().initial_txn && a != b)) {
      return true;
    }
    switch (level(b).visibility) {
      case Visibility::kPram:
      case Visibility::kMonotonicWrites:
        return so(a, b) && writes_anything(a) && writes_anything(b);
      case Visibility::kWritesFollowReads:
        return writes_anything(b) && some([&](int c) { return wr(a, c) && so(c, b); });
      case Visibility::kMonotonicReads:
      case Visibility::kReadYourWrites:
        return false;
      default:
        return level(b).sessions && so(a, b);
    }
  }

  /// By transaction, as bits: the transactions that order and axiom put before it.
  [[nodiscard]] std::optional<std::vector<std::uint32_t>> demands() const {
    std::vector<std::uint32_t> before(static_cast<std::size_t>(n_), 0);
    for (int a = 0; a < n_; ++a) {
      for (int b = 0; b < n_; ++b) {
        before[static_cast<std::size_t>(b)] |= must_precede(a, b) ? 1U << a : 0U;
      }
    }
    for (std::size_t read = 0; read < readings_.size(); ++read) {
      for (int t = 0; t < n_; ++t) {
        const int source = readings_[read].source;
        if (t == source || !writes(t, readings_[read].key) || !is_visible(t, read)) {
          continue;
        }
        if (source == kInitial) {
          return std::nullopt;
        }
        before[static_cast<std::size_t>(source)] |= 1U << t;
      }
    }
    return before;
  }

  /// Registers: whom each read saw is chosen first.
  [[nodiscard]] std::optional<bool> holds_for_some_sources() {
    std::vector<std::vector<int>> candidates;
    std::uint64_t count = 1;
    for (const Reading& reading : readings_) {
      candidates.push_back(candidates_of(reading));
      count *= candidates.back().size();
      if (count > kMaxAssignments) {
        return std::nullopt;
      }
    }
    for (std::uint64_t number = 0; number < count; ++number) {
      std::uint64_t rest = number;
      for (std::size_t i = 0; i < readings_.size(); ++i) {
        readings_[i].source = candidates[i][rest % candidates[i].size()];
        rest /= candidates[i].size();
      }
      const auto before = demands();
      const bool needs_order = shape_ || demands_an_order();
      if (before && some_order_keeps(*before) && (!needs_order || some_order_is_fine())) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] static bool depends_on_order(OrderLevel level) {
    return level.visibility <= Visibility::kPrefix || level.visibility == Visibility::kCursor;
  }

  [[nodiscard]] bool demands_an_order() const {
    return some([this](int t) { return depends_on_order(level(t)); });
  }

  /// Whether the order lacks forbidden cycles, and what it makes visible to a read is not missed.
  [[nodiscard]] bool is_fine(const std::vector<int>& order) const {
    return !(shape_ && has_forbidden_cycle(order)) &&
           std::ranges::all_of(readings_, [&](const Reading& reading) {
             return !some([&](int t) {
               return t != reading.source && t != reading.reader && writes(t, reading.key) &&
                      is_visible_in(order, t, reading) &&
                      (reading.source == kInitial || is_earlier(order, reading.source, t));
             });
           });
  }

  /// Whether the transaction is visible to the read because of where it stands in the order.
  [[nodiscard]] bool is_visible_in(const std::vector<int>& order, int t,
                                   const Reading& reading) const {
    const int reader = reading.reader;
    const auto up_to = [&](int s) { return t == s || is_earlier(order, t, s); };
    switch (level(reader).visibility) {
      case Visibility::kSerial:
        return is_earlier(order, t, reader);
      case Visibility::kCursor:
        return writes(reader, reading.key) && is_earlier(order, t, reader);
      case Visibility::kPrefix:
        return some([&](int s) { return s != reader && must_precede(s, reader) && up_to(s); });
      case Visibility::kSnapshot:
        return some([&](int s) {
          const bool counts =
              must_precede(s, reader) || (write_one_key(s, reader) && is_earlier(order, s, reader));
          return s != reader && counts && up_to(s);
        });
      default:
        return false;
    }
  }

  [[nodiscard]] bool some_order_is_fine() {
    std::vector<int> order(static_cast<std::size_t>(n_));
    std::iota(order.begin(), order.end(), 0);
    do {
      if (is_kept_by(order) && is_fine(order)) {
        return true;
      }
    } while (std::ranges::next_permutation(order).found);
    return false;
  }

  /// Whether the order contains what every commit order does.
  [[nodiscard]] bool is_kept_by(const std::vector<int>& order) const {
    const auto before = demands();
    std::uint32_t placed = 0;
    for (const int t : order) {
      if (!before || (before->at(static_cast<std::size_t>(t)) & ~placed) != 0) {
        return false;
      }
      placed |= 1U << t;
    }
    return true;
  }

  /// Whether dependencies close a cycle that the shape forbids, where the versions of each key come
  /// in this order of their writers.
  [[nodiscard]] bool has_forbidden_cycle(const std::vector<int>& order) const {
    switch (*shape_) {
      case CycleShape::kCursor:
        return has_g_cursor(order);
      case CycleShape::kPair:
        return has_pair(order);
      case CycleShape::kSnapshots:
        return has_event_cycle(order);
      case CycleShape::kUpdates:
        return has_g_update(order);
      default:
        return has_g_single(order);
    }
  }

  /// Calls `visit(reading, writer)` for each anti-dependency; true once that says so.
  template <class Visit>
  bool some_rw(const std::vector<int>& order, Visit visit) const {
    for (const Reading& reading : readings_) {
      auto next = order.begin();
      if (reading.source != kInitial) {
        next = std::ranges::find(order, reading.source) + 1;
      }
      for (; next != order.end(); ++next) {
        if (*next != reading.reader && writes(*next, reading.key) && visit(reading, *next)) {
          return true;
        }
      }
    }
    return false;
  }

  [[nodiscard]] static bool is_earlier(const std::vector<int>& order, int a, int b) {
    return std::ranges::find(order, a) < std::ranges::find(order, b);
  }

  /// Of two writers of a key, the first in the order.
  [[nodiscard]] bool ww(int a, int b, const std::vector<int>& order) const {
    return a != b && is_earlier(order, a, b) && write_one_key(a, b);
  }

  /// Whether another writer comes between what a transaction read and what it wrote.
  [[nodiscard]] bool has_g_cursor(const std::vector<int>& order) const {
    return some_rw(order, [&](const Reading& reading, int writer) {
      return writes(reading.reader, reading.key) && is_earlier(order, writer, reading.reader);
    });
  }

  [[nodiscard]] bool has_pair(const std::vector<int>& order) const {
    return some_rw(order, [&](const Reading& reading, int writer) {
      return wr(writer, reading.reader) || ww(writer, reading.reader, order);
    });
  }

  /// A cycle with one anti-dependency. At monotonic view the way back leads to an operation that
  /// does not come after the read.
  [[nodiscard]] bool has_g_single(const std::vector<int>& order) const {
    return some_rw(order, [&](const Reading& reading, int writer) {
      if (shape_ == CycleShape::kSingle) {
        return depends(reading.reader, writer, order);
      }
      return some([&](int last) {
        return (last == writer || depends(last, writer, order)) &&
               comes_in_by(last, reading.reader, reading.mop, order);
      });
    });
  }

  /// Whether a read at this place or before it saw the writer, or a write before it overwrote a
  /// version of the writer.
  [[nodiscard]] bool comes_in_by(int writer, int t, std::size_t mop,
                                 const std::vector<int>& order) const {
    const auto before = ops(t).first(mop);
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (is_last_write(t, i) && writes(writer, before[i].key()) && writer != t &&
          is_earlier(order, writer, t)) {
        return true;
      }
    }
    return std::ranges::any_of(readings_, [&](const Reading& reading) {
      return reading.reader == t && reading.source == writer && reading.mop <= mop;
    });
  }

  /// Whether the operation leaves behind what the transaction wrote to the key.
  [[nodiscard]] bool is_last_write(int t, std::size_t mop) const {
    const auto all = ops(t);
    return all[mop].is_write() && std::ranges::none_of(all.subspan(mop + 1), [&](Op op) {
             return op.is_write() && op.key() == all[mop].key();
           });
  }

  using Edge = std::pair<std::size_t, std::size_t>;

  /// Events: the operations of a transaction, then its commit.
  [[nodiscard]] bool has_event_cycle(const std::vector<int>& order) const {
    std::vector<std::size_t> first = {0};
    for (int t = 0; t < n_; ++t) {
      first.push_back(first.back() + ops(t).size() + 1);
    }
    const auto event = [&](int t, std::size_t mop) {
      return first.at(static_cast<std::size_t>(t)) + mop;
    };
    const auto commit = [&](int t) { return event(t, ops(t).size()); };
    std::vector<Edge> edges;
    for (int t = 0; t < n_; ++t) {
      for (std::size_t i = 0; i < ops(t).size(); ++i) {
        edges.emplace_back(event(t, i), event(t, i + 1));
        for (int other = 0; other < n_ && is_last_write(t, i); ++other) {
          if (other != t && writes(other, ops(t)[i].key()) && is_earlier(order, other, t)) {
            edges.emplace_back(commit(other), event(t, i));
          }
        }
      }
    }
    for (const Reading& reading : readings_) {
      if (reading.source != kInitial) {
        edges.emplace_back(commit(reading.source), event(reading.reader, reading.mop));
      }
    }
    some_rw(order, [&](const Reading& reading, int writer) {
      edges.emplace_back(event(reading.reader, reading.mop), commit(writer));
      return false;
    });
    return is_cyclic(first.back(), std::move(edges));
  }

  /// Takes away edges from vertices that no edge leads to, as long as there are such.
  [[nodiscard]] static bool is_cyclic(std::size_t count, std::vector<Edge> edges) {
    for (std::size_t round = 0; round < count; ++round) {
      std::vector<bool> has_edge(count, false);
      for (const Edge& edge : edges) {
        has_edge[edge.second] = true;
      }
      std::erase_if(edges, [&](const Edge& edge) { return !has_edge[edge.first]; });
    }
    return !edges.empty();
  }

  /// Among those that write, and with each other one.
  [[nodiscard]] bool has_g_update(const std::vector<int>& order) const {
    return some([&](int guest) {
      std::vector<Edge> edges;
      const auto add = [&](int a, int b) {
        if ((a == guest || writes_anything(a)) && (b == guest || writes_anything(b))) {
          edges.emplace_back(static_cast<std::size_t>(a), static_cast<std::size_t>(b));
        }
      };
      for (int a = 0; a < n_; ++a) {
        for (int b = 0; b < n_; ++b) {
          if (wr(a, b) || ww(a, b, order)) {
            add(a, b);
          }
        }
      }
      some_rw(order, [&](const Reading& reading, int writer) {
        add(reading.reader, writer);
        return false;
      });
      return is_cyclic(static_cast<std::size_t>(n_), std::move(edges));
    });
  }

  /// Whether reads and overwritten versions lead from one transaction to another.
  [[nodiscard]] bool depends(int on_it, int from, const std::vector<int>& order) const {
    std::uint32_t reached = 1U << from;
    for (auto a = std::ranges::find(order, from); a != order.end(); ++a) {
      for (auto b = a; (reached >> *a & 1U) != 0 && b != order.end(); ++b) {
        if (wr(*a, *b) || (*a != *b && write_one_key(*a, *b))) {
          reached |= 1U << *b;
        }
      }
    }
    return (reached >> on_it & 1U) != 0;
  }

  [[nodiscard]] bool write_one_key(int a, int b) const {
    return std::ranges::any_of(ops(a), [&](Op op) { return op.is_write() && writes(b, op.key()); });
  }

  [[nodiscard]] std::vector<int> candidates_of(const Reading& reading) const {
    std::vector<int> candidates;
    for (int t = 0; t < n_ && !reading.is_unwritten; ++t) {
      if (t != reading.reader && last_write(t, reading.key) == reading.seen.front()) {
        candidates.push_back(t);
      }
    }
    if (is_initial(reading.seen.front()) && !is_written_initially(reading.key)) {
      candidates.push_back(kInitial);
    }
    return candidates;
  }

  /// The recorded initial transaction comes before all others.
  [[nodiscard]] bool is_written_initially(KeyId key) const {
    const auto initial = std::ranges::find(txns_, history_.info().initial_txn);
    return initial != txns_.end() && writes(static_cast<int>(initial - txns_.begin()), key);
  }

  /// All orders are tried, sets of those that came first once.
  [[nodiscard]] bool some_order_keeps(const std::vector<std::uint32_t>& before) const {
    const std::uint32_t all = (1U << n_) - 1;
    std::vector<bool> reached(all + 1, false);
    reached[0] = true;
    for (std::uint32_t set = 0; set < all; ++set) {
      for (int t = 0; reached[set] && t < n_; ++t) {
        if ((set >> t & 1U) == 0 && (before[static_cast<std::size_t>(t)] & ~set) == 0) {
          reached[set | 1U << t] = true;
        }
      }
    }
    return reached[all];
  }

  /// Lists: the order says what each of them held.
  [[nodiscard]] bool holds_in_some_order() {
    std::vector<int> order(static_cast<std::size_t>(n_));
    std::iota(order.begin(), order.end(), 0);
    do {
      if (order_fits(order)) {
        return true;
      }
    } while (std::ranges::next_permutation(order).found);
    return false;
  }

  [[nodiscard]] bool order_fits(const std::vector<int>& order) {
    for (Reading& reading : readings_) {
      if (!find_source(order, reading)) {
        return false;
      }
    }
    return is_kept_by(order) && is_fine(order);
  }

  /// Whose append made the list what was read, if that is how it came to be.
  bool find_source(const std::vector<int>& order, Reading& reading) const {
    std::vector<ValueId> list;
    reading.source = kInitial;
    for (const int t : order) {
      if (list.size() >= reading.seen.size()) {
        break;
      }
      for (const Op op : ops(t)) {
        if (op.is_write() && op.key() == reading.key) {
          list.push_back(op.value());
          reading.source = t;
        }
      }
    }
    return list == reading.seen && reading.source != reading.reader;
  }

  const History& history_;
  const TxnLevels& levels_;
  std::optional<CycleShape> shape_;
  std::vector<TxnId> txns_;
  int n_;
  std::vector<Reading> readings_;
};

std::optional<bool> holds_for_some(const History& history, const TxnLevels& levels,
                                   std::optional<CycleShape> shape) {
  std::vector<TxnId> certain;
  std::vector<TxnId> optional;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      (history.committed(txn) ? certain : optional).push_back(txn);
    }
  }
  if (certain.size() + optional.size() > kMaxTxns) {
    return std::nullopt;
  }
  bool is_known = true;
  for (std::uint32_t chosen = 0; chosen < 1U << optional.size(); ++chosen) {
    std::vector<TxnId> txns = certain;
    for (std::size_t i = 0; i < optional.size(); ++i) {
      if ((chosen >> i & 1U) != 0) {
        txns.push_back(optional[i]);
      }
    }
    std::ranges::sort(txns);
    const std::optional<bool> holds = Axiom(history, levels, shape, std::move(txns)).holds();
    if (holds == true) {
      return true;
    }
    is_known = is_known && holds.has_value();
  }
  return is_known ? std::optional(false) : std::nullopt;
}

}  // namespace

std::optional<bool> holds_by_axiom(const History& history, OrderLevel level) {
  return holds_for_some(history, level, std::nullopt);
}

std::optional<bool> holds_in_mix(const History& history, const TxnLevels& levels) {
  return holds_for_some(history, levels, std::nullopt);
}

std::optional<bool> holds_without_cycles(const History& history, CycleLevel level) {
  return holds_for_some(history, level.reads, level.shape);
}

}  // namespace elapid
