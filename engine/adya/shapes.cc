#include "engine/adya/shapes.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

namespace elapid {

namespace {

class ShapeSearch {
 public:
  ShapeSearch(const CycleProblem& problem, const VersionOrders& orders, CycleShape shape,
              std::size_t limit, ArcBudget& budget)
      : problem_(problem),
        seen_(problem.seen()),
        orders_(orders),
        shape_(shape),
        limit_(limit),
        budget_(budget),
        dependencies_(dependencies(problem, orders)) {}

  ShapeFindings run() {
    const auto is_kept = [](const Dependency& dependency) { return !dependency.is_rw(); };
    std::vector<std::uint32_t> order = close_cycles(is_kept);
    if (found_.cycles.empty()) {
      find_shape(order);
    }
    if (budget_.left == 0) {
      found_.is_complete = false;
    } else if (found_.cycles.empty()) {
      std::erase_if(order, [this](std::uint32_t t) { return !seen_.is_present(t); });
      found_.order = std::move(order);
    }
    return std::move(found_);
  }

 private:
  void find_shape(std::span<const std::uint32_t> order) {
    switch (shape_) {
      case CycleShape::kCursor:
        find_cursors();
        break;
      case CycleShape::kPair:
        find_pairs(places_of(order));
        break;
      case CycleShape::kMonotonic:
      case CycleShape::kSingle:
        find_single(order);
        break;
      case CycleShape::kSnapshots:
        find_event_cycles();
        break;
      case CycleShape::kUpdates:
        find_updates();
        break;
    }
  }

  [[nodiscard]] bool is_full() const { return found_.cycles.size() >= limit_ || budget_.left == 0; }

  void add_cycle(ForbiddenCycle cycle) {
    if (!is_full()) {
      found_.cycles.push_back(std::move(cycle));
    }
  }

  /// Keeps the dependencies that count as `arcs_`.
  template <class Predicate>
  void select(Predicate counts) {
    arcs_.clear();
    arc_dependency_.clear();
    for (std::uint32_t i = 0; i < dependencies_.size(); ++i) {
      if (counts(dependencies_[i])) {
        arcs_.push_back({dependencies_[i].from(), dependencies_[i].to()});
        arc_dependency_.push_back(i);
      }
    }
  }

  [[nodiscard]] const Dependency& dependency_of(std::uint32_t arc) const {
    return dependencies_[arc_dependency_[arc]];
  }

  /// Adds the cycles of the dependencies that count; without any, a topological order.
  template <class Predicate>
  std::vector<std::uint32_t> close_cycles(Predicate counts) {
    select(counts);
    for (const ArcPath& path : cycles_of(seen_.txn_count(), arcs_, limit_, budget_)) {
      add_cycle(along(path));
    }
    return found_.cycles.empty() ? order_by_rank(seen_.txn_count(), arcs_, problem_.draft())
                                 : std::vector<std::uint32_t>();
  }

  [[nodiscard]] ForbiddenCycle along(std::span<const std::uint32_t> path) const {
    ForbiddenCycle cycle;
    std::ranges::transform(path, std::back_inserter(cycle),
                           [this](std::uint32_t arc) { return dependency_of(arc); });
    return cycle;
  }

  [[nodiscard]] std::vector<std::uint32_t> places_of(std::span<const std::uint32_t> order) const {
    std::vector<std::uint32_t> places(seen_.txn_count(), PathFinder::kNoPlace);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      places[order[i]] = i;
    }
    return places;
  }

  /// If a transaction read a key and wrote it, it is the next writer after the version that it
  /// read.
  void find_cursors() {
    each_read(seen_, [&](std::uint32_t reader, std::uint32_t place, const Seen& seen) {
      if (is_full() || !seen_.writes(reader, seen.key)) {
        return;
      }
      const std::uint32_t next = orders_.after(seen.writer, seen.key).front();
      if (next != reader) {
        add_cycle({missed(problem_, reader, place, seen, next),
                   overwrites(problem_, next, reader, seen.key)});
      }
    });
  }

  /// Writers after the version that was read, up to the reader's place.
  void find_pairs(const std::vector<std::uint32_t>& places) {
    each_read(seen_, [&](std::uint32_t reader, std::uint32_t place, const Seen& seen) {
      for (const std::uint32_t writer : orders_.after(seen.writer, seen.key)) {
        if (is_full() || places[writer] >= places[reader] || !budget_.spend(1)) {
          break;
        }
        if (const auto back = direct(writer, reader)) {
          add_cycle({missed(problem_, reader, place, seen, writer), *back});
          break;
        }
      }
    });
  }

  /// The dependency by which `second` read from `first` or overwrote it, if `first` comes before
  /// it.
  [[nodiscard]] std::optional<Dependency> direct(std::uint32_t first, std::uint32_t second) const {
    std::uint32_t place = seen_.first_read(second);
    for (const Seen& read : seen_.reads(second)) {
      if (read.writer == first) {
        return read_from(problem_, second, place, read);
      }
      ++place;
    }
    std::optional<Dependency> found;
    problem_.some_shared_key(first, second, [&](KeyId key) {
      found = overwrites(problem_, first, second, key);
      return true;
    });
    return found;
  }

  /// From the writer that a read missed back to the reader. At monotonic view the way back ends at
  /// an operation that does not come after the read.
  void find_single(std::span<const std::uint32_t> order) {
    PathFinder paths(seen_.txn_count(), arcs_, places_of(order));
    for (const Dependency& rw : dependencies_) {
      if (is_full()) {
        break;
      }
      const std::uint32_t bound = paths.place(rw.from());
      if (!rw.is_rw() || paths.place(rw.to()) > bound) {
        continue;
      }
      const auto ends = [&](std::uint32_t arc) {
        return arcs_[arc].to == rw.from() &&
               (shape_ == CycleShape::kSingle || dependency_of(arc).to_mop <= rw.from_mop);
      };
      if (const auto path = paths.find(std::array{rw.to()}, bound, ends, budget_)) {
        ForbiddenCycle cycle = along(*path);
        cycle.insert(cycle.begin(), rw);
        add_cycle(std::move(cycle));
      }
    }
  }

  /// Events are the operations of a transaction, then its commit. Program order leads through them.
  void find_event_cycles() {
    std::vector<std::uint32_t> begin;
    std::uint32_t count = 0;
    std::vector<Arc> arcs;
    for (std::uint32_t t = 0; t < seen_.txn_count(); ++t) {
      begin.push_back(count);
      for (const std::uint32_t commit =
               count + static_cast<std::uint32_t>(problem_.history().ops({t}).size());
           count < commit; ++count) {
        arcs.push_back({count, count + 1});
      }
      ++count;
    }
    begin.push_back(count);
    const auto first_dependency = static_cast<std::uint32_t>(arcs.size());
    const auto event = [&](std::uint32_t t, std::uint32_t mop) {
      return mop == Dependency::kCommit ? begin[t + 1] - 1 : begin[t] + mop;
    };
    for (const Dependency& dependency : dependencies_) {
      arcs.push_back({event(dependency.from(), dependency.from_mop),
                      event(dependency.to(), dependency.to_mop)});
    }
    for (const ArcPath& path : cycles_of(count, arcs, limit_, budget_)) {
      ForbiddenCycle cycle;
      for (const std::uint32_t arc : path) {
        if (arc >= first_dependency) {
          cycle.push_back(dependencies_[arc - first_dependency]);
        }
      }
      add_cycle(std::move(cycle));
    }
  }

  [[nodiscard]] bool is_update(std::uint32_t t) const { return !seen_.written(t).empty(); }

  void find_updates() {
    const std::vector<std::uint32_t> order = close_cycles([this](const Dependency& dependency) {
      return is_update(dependency.from()) && is_update(dependency.to());
    });
    if (found_.cycles.empty()) {
      find_guests(order);
    }
  }

  /// Cycles through one transaction that only reads. Paths pass through no other such transaction.
  void find_guests(std::span<const std::uint32_t> order) {
    std::vector<std::uint32_t> places = places_of(order);
    for (std::uint32_t t = 0; t < places.size(); ++t) {
      places[t] = is_update(t) ? places[t] : PathFinder::kNoPlace;
    }
    select([](const Dependency&) { return true; });
    PathFinder paths(seen_.txn_count(), arcs_, std::move(places));
    const Adjacency by_reader =
        places_by_row(seen_.txn_count(), arcs_, [](const Arc& arc) { return arc.from; });
    for (std::uint32_t t = 0; t < seen_.txn_count() && !is_full(); ++t) {
      if (!is_update(t)) {
        find_guest(t, by_reader.of(t), paths);
      }
    }
  }

  void find_guest(std::uint32_t guest, std::span<const std::uint32_t> leaving, PathFinder& paths) {
    std::vector<std::uint32_t> missed_writers;
    for (const std::uint32_t arc : leaving) {
      missed_writers.push_back(arcs_[arc].to);
    }
    std::uint32_t bound = 0;
    for (const Seen& read : seen_.reads(guest)) {
      bound = read.is_of_txn() ? std::max(bound, paths.place(read.writer) + 1) : bound;
    }
    const auto path = paths.find(
        missed_writers, bound, [&](std::uint32_t arc) { return arcs_[arc].to == guest; }, budget_);
    if (!path) {
      return;
    }
    const std::uint32_t first = arcs_[path->front()].from;
    const auto rw =
        std::ranges::find_if(leaving, [&](std::uint32_t arc) { return arcs_[arc].to == first; });
    ForbiddenCycle cycle = along(*path);
    cycle.insert(cycle.begin(), dependency_of(*rw));
    add_cycle(std::move(cycle));
  }

  const CycleProblem& problem_;
  const Observations& seen_;
  const VersionOrders& orders_;
  CycleShape shape_;
  std::size_t limit_;
  ArcBudget& budget_;
  std::vector<Dependency> dependencies_;
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> arc_dependency_;  // by arc
  ShapeFindings found_;
};

}  // namespace

ShapeFindings find_forbidden(const CycleProblem& problem, const VersionOrders& orders,
                             CycleShape shape, std::size_t limit, ArcBudget& budget) {
  return ShapeSearch(problem, orders, shape, limit, budget).run();
}

}  // namespace elapid
