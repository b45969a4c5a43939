#include "tests/reference/predictions.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>

namespace elapid::reference {

namespace {

/// A kept transaction: its first events, with the writers they have here.
struct Kept {
  int txn = 0;
  std::vector<PlainAccess> events = {};
  std::vector<PlainAccess> all = {};      ///< those that are cut, too
  std::vector<PlainAccess> written = {};  ///< the events whose writes count
};

/// An execution: kept transactions, and what happens before what.
struct Execution {
  std::vector<Kept> kept = {};
  std::vector<int> place = {};                 ///< by transaction: among those kept, or -1
  std::vector<std::vector<bool>> direct = {};  ///< so or wr, by place
  std::vector<std::vector<bool>> before = {};  ///< closed
  std::vector<std::vector<bool>> in_session = {};
};

bool writes(const std::vector<PlainAccess>& events, int key) {
  return std::any_of(events.begin(), events.end(),
                     [key](const PlainAccess& e) { return e.is_write && e.key == key; });
}

void close(std::vector<std::vector<bool>>& relation) {
  const std::size_t n = relation.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        relation[i][j] = relation[i][j] || (relation[i][k] && relation[k][j]);
      }
    }
  }
}

Execution execution_of(const PlainObservation& observed, std::vector<Kept> kept) {
  Execution run;
  run.kept = std::move(kept);
  for (Kept& one : run.kept) {
    one.written = one.events;
  }
  const std::size_t n = run.kept.size();
  run.place.assign(observed.txns.size(), -1);
  for (std::size_t i = 0; i < n; ++i) {
    run.place[static_cast<std::size_t>(run.kept[i].txn)] = static_cast<int>(i);
  }
  run.in_session.assign(n, std::vector<bool>(n, false));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const int a = run.kept[i].txn;
      const int b = run.kept[j].txn;
      run.in_session[i][j] = a < b && observed.txns[static_cast<std::size_t>(a)].session ==
                                          observed.txns[static_cast<std::size_t>(b)].session;
    }
  }
  run.direct = run.in_session;
  for (std::size_t j = 0; j < n; ++j) {
    for (const PlainAccess& event : run.kept[j].events) {
      if (!event.is_write && event.writer >= 0) {
        run.direct[static_cast<std::size_t>(run.place[static_cast<std::size_t>(event.writer)])][j] =
            true;
      }
    }
  }
  run.before = run.direct;
  close(run.before);
  return run;
}

/// Whether `other`, which writes the key, is visible to event `e` of `reader`. `rank`: by place, in
/// the commit order.
bool is_visible(const Execution& run, const std::vector<int>& rank, std::size_t other,
                std::size_t reader, std::size_t e, PlainLevel level) {
  const std::size_t n = run.kept.size();
  switch (level) {
    case PlainLevel::kRc:
      for (std::size_t i = 0; i < e; ++i) {
        const PlainAccess& event = run.kept[reader].events[i];
        if (!event.is_write && event.writer == run.kept[other].txn) {
          return true;
        }
      }
      return false;
    case PlainLevel::kRa:
      return run.direct[other][reader];
    case PlainLevel::kCc:
      return run.before[other][reader];
    case PlainLevel::kPc:
    case PlainLevel::kSi:
      for (std::size_t t = 0; t < n; ++t) {
        if (rank[other] > rank[t]) {
          continue;
        }
        if (run.direct[t][reader]) {
          return true;
        }
        const auto conflicts = [&](const PlainAccess& event) {
          return event.is_write && writes(run.kept[reader].written, event.key);
        };
        if (level == PlainLevel::kSi && rank[t] < rank[reader] &&
            std::any_of(run.kept[t].written.begin(), run.kept[t].written.end(), conflicts)) {
          return true;
        }
      }
      return false;
    case PlainLevel::kSer:
      return rank[other] < rank[reader];
  }
  return false;
}

/// Whether a list shows the first writers of its key in the commit order.
bool shows_first_versions(const Execution& run, const std::vector<int>& rank,
                          const PlainAccess& read) {
  std::vector<std::pair<int, int>> versions;
  for (std::size_t i = 0; i < run.kept.size(); ++i) {
    if (writes(run.kept[i].written, read.key)) {
      versions.emplace_back(rank[i], run.kept[i].txn);
    }
  }
  std::sort(versions.begin(), versions.end());
  for (std::size_t i = 0; i < read.list.size(); ++i) {
    if (i >= versions.size() || versions[i].second != read.list[i]) {
      return false;
    }
  }
  return true;
}

bool order_satisfies(const Execution& run, const std::vector<int>& rank, PlainLevel level) {
  const std::size_t n = run.kept.size();
  for (std::size_t reader = 0; reader < n; ++reader) {
    for (std::size_t e = 0; e < run.kept[reader].events.size(); ++e) {
      const PlainAccess& event = run.kept[reader].events[e];
      if (event.is_write) {
        continue;
      }
      if (!shows_first_versions(run, rank, event)) {
        return false;
      }
      for (std::size_t other = 0; other < n; ++other) {
        if (other == reader || run.kept[other].txn == event.writer ||
            !writes(run.kept[other].written, event.key) ||
            !is_visible(run, rank, other, reader, e, level)) {
          continue;
        }
        if (event.writer < 0 ||
            rank[other] >
                rank[static_cast<std::size_t>(run.place[static_cast<std::size_t>(event.writer)])]) {
          return false;
        }
      }
    }
  }
  return true;
}

bool some_order_satisfies(const Execution& run, PlainLevel level) {
  const std::size_t n = run.kept.size();
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  do {
    std::vector<int> rank(n);
    for (std::size_t i = 0; i < n; ++i) {
      rank[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    }
    bool agrees = true;
    for (std::size_t i = 0; i < n && agrees; ++i) {
      for (std::size_t j = 0; j < n && agrees; ++j) {
        agrees = !run.before[i][j] || rank[i] < rank[j];
      }
    }
    if (agrees && order_satisfies(run, rank, level)) {
      return true;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

bool has_changed_read(const Execution& run) {
  for (const Kept& kept : run.kept) {
    for (std::size_t i = 0; i < kept.events.size(); ++i) {
      if (kept.events[i] != kept.all[i]) {
        return true;
      }
    }
  }
  return false;
}

/// At snapshot isolation a transaction commits with all its writes, also those that are cut.
Execution with_cut_writes(Execution run) {
  for (Kept& kept : run.kept) {
    kept.written = kept.all;
  }
  return run;
}

/// Tries everything, and stops once `is_enough` says so.
class Enumeration {
 public:
  Enumeration(const PlainObservation& observed, bool relaxed,
              std::function<bool(const Execution&)> is_enough)
      : observed_(observed), relaxed_(relaxed), is_enough_(std::move(is_enough)) {
    for (std::size_t t = 0; t < observed.txns.size(); ++t) {
      const auto session = static_cast<std::size_t>(observed.txns[t].session);
      sessions_.resize(std::max(sessions_.size(), session + 1));
      sessions_[session].push_back(static_cast<int>(t));
    }
    state_.assign(observed.txns.size(), State::kCut);
  }

  bool run() { return choose_prefix(0); }

 private:
  enum class State { kCut, kWhole, kBoundary };

  bool choose_prefix(std::size_t session) {
    if (session == sessions_.size()) {
      return choose_stops(0);
    }
    const std::vector<int>& txns = sessions_[session];
    for (std::size_t length = 0; length <= txns.size(); ++length) {
      for (std::size_t i = 0; i < txns.size(); ++i) {
        state(txns[i]) = i < length ? State::kWhole : State::kCut;
      }
      if (choose_prefix(session + 1)) {
        return true;
      }
      if (length < txns.size()) {
        state(txns[length]) = State::kBoundary;
        if (choose_prefix(session + 1)) {
          return true;
        }
      }
    }
    return false;
  }

  State& state(int txn) { return state_[static_cast<std::size_t>(txn)]; }

  [[nodiscard]] bool is_whole(int txn) const {
    return txn < 0 || state_[static_cast<std::size_t>(txn)] == State::kWhole;
  }

  /// Which events each boundary transaction keeps, and which of them are free.
  bool choose_stops(std::size_t txn) {
    if (txn == 0) {
      kept_.clear();
    }
    if (txn == observed_.txns.size()) {
      return choose_writers(0, 0);
    }
    const std::vector<PlainAccess>& events = observed_.txns[txn].events;
    const auto id = static_cast<int>(txn);
    if (state_[txn] == State::kCut) {
      return choose_stops(txn + 1);
    }
    if (state_[txn] == State::kWhole || relaxed_) {
      kept_.push_back({.txn = id, .events = events, .all = events});
      free_from_[txn] = 0;
      const bool enough = choose_stops(txn + 1);
      kept_.pop_back();
      return enough;
    }
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!events[i].is_write) {
        const auto end = events.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        kept_.push_back({.txn = id, .events = {events.begin(), end}, .all = events});
        free_from_[txn] = i;
        const bool enough = choose_stops(txn + 1);
        kept_.pop_back();
        if (enough) {
          return true;
        }
      }
    }
    return false;
  }

  bool choose_writers(std::size_t place, std::size_t e) {
    if (place == kept_.size()) {
      return is_enough_(execution_of(observed_, kept_));
    }
    if (e == kept_[place].events.size()) {
      return is_changed_enough(place) && choose_writers(place + 1, 0);
    }
    PlainAccess& event = kept_[place].events[e];
    const int txn = kept_[place].txn;
    if (event.is_write) {
      return choose_writers(place, e + 1);
    }
    if (is_whole(txn) || (!relaxed_ && e < free_from_[static_cast<std::size_t>(txn)])) {
      const bool is_there =
          is_whole(event.writer) && std::all_of(event.list.begin(), event.list.end(),
                                                [this](int writer) { return is_whole(writer); });
      return is_there && choose_writers(place, e + 1);
    }
    const PlainAccess observed = event;
    for (const PlainAccess& other : alternatives(txn, observed)) {
      if (relaxed_ || other != observed) {
        event = other;
        if (choose_writers(place, e + 1)) {
          return true;
        }
      }
    }
    event = observed;
    return false;
  }

  /// What a free read can show: the initial state, or a whole transaction's write, after any others
  /// if it is a list.
  [[nodiscard]] std::vector<PlainAccess> alternatives(int txn, const PlainAccess& read) const {
    std::vector<PlainAccess> all = {{.key = read.key}};
    for (std::size_t i = 0; i < all.size() && (i == 0 || observed_.has_lists); ++i) {
      for (int w = 0; w < static_cast<int>(observed_.txns.size()); ++w) {
        PlainAccess longer = all[i];
        const bool is_new =
            std::find(longer.list.begin(), longer.list.end(), w) == longer.list.end();
        if (is_new && w != txn && is_whole(w) &&
            writes(observed_.txns[static_cast<std::size_t>(w)].events, read.key)) {
          longer.writer = w;
          if (observed_.has_lists) {
            longer.list.push_back(w);
          }
          all.push_back(longer);
        }
      }
    }
    return all;
  }

  /// A boundary transaction has a changed read.
  [[nodiscard]] bool is_changed_enough(std::size_t place) const {
    const Kept& kept = kept_[place];
    if (is_whole(kept.txn)) {
      return true;
    }
    for (std::size_t i = 0; i < kept.events.size(); ++i) {
      if (kept.events[i] != kept.all[i]) {
        return true;
      }
    }
    return false;
  }

  const PlainObservation& observed_;
  bool relaxed_;
  std::function<bool(const Execution&)> is_enough_;
  std::vector<std::vector<int>> sessions_;
  std::vector<State> state_;
  std::vector<Kept> kept_;
  std::vector<std::size_t> free_from_ = std::vector<std::size_t>(64, 0);
};

}  // namespace

bool is_predictable(const PlainObservation& observed, PlainLevel level, PlainLevel target,
                    bool relaxed, bool changed) {
  return Enumeration(observed, relaxed,
                     [level, target, changed](const Execution& run) {
                       return (!changed || has_changed_read(run)) &&
                              !some_order_satisfies(run, target) &&
                              some_order_satisfies(
                                  level == PlainLevel::kSi ? with_cut_writes(run) : run, level);
                     })
      .run();
}

bool satisfies(const PlainObservation& observed, PlainLevel level) {
  std::vector<Kept> kept;
  for (std::size_t t = 0; t < observed.txns.size(); ++t) {
    const std::vector<PlainAccess>& events = observed.txns[t].events;
    kept.push_back({.txn = static_cast<int>(t), .events = events, .all = events});
  }
  return some_order_satisfies(execution_of(observed, std::move(kept)), level);
}

}  // namespace elapid::reference
