#include "engine/infer/linearizable_keys.h"

#include <algorithm>
#include <vector>

#include "engine/infer/elle_downstream.h"
#include "engine/infer/order.h"

namespace elapid {

void each_realtime_link(const History& history, const RegisterVersions& versions,
                        const std::function<void(const KeyTouch&, const KeyTouch&)>& link) {
  std::vector<std::vector<KeyTouch>> done(
      history.key_count());  // completed, and not followed completely
  EventOrder(history).each([&](TxnId txn, EventKind kind) {
    if (!versions.believed(txn)) {
      return;
    }
    for (const ExternalOp& op : versions.external().of(txn)) {
      std::vector<KeyTouch>& before = done[op.key.index()];
      if (kind == EventKind::kInvocation) {
        for (const KeyTouch& earlier : before) {
          link(earlier, {txn, op});
        }
      } else if (history.committed(txn)) {
        if (history.has_invocation(txn)) {
          const EventId invoked = history.invocation_id(txn);
          std::erase_if(before,
                        [&](const KeyTouch& t) { return history.completion_id(t.txn) < invoked; });
        }
        before.push_back({txn, op});
      }
    }
  });
}

namespace {

using TxnSet = std::vector<TxnId>;  // in no order, without repetitions

/// Elle's real-time graph, backwards: for each transaction those with an edge to it.
class Predecessors {
 public:
  Predecessors(const History& history, const std::vector<bool>& believed)
      : of_(history.txn_count()) {
    std::vector<LabelledEdge> edges;
    add_realtime_edges(
        history, EventOrder(history), believed, [](TxnId, TxnId) { return true; }, edges);
    for (const LabelledEdge& edge : edges) {
      of_[edge.to].push_back({edge.from});
    }
  }

  [[nodiscard]] const TxnSet& of(TxnId txn) const { return of_[txn.index()]; }

 private:
  std::vector<TxnSet> of_;
};

/// For one key at a time: which operations on it reach a transaction along paths that avoid the
/// key.
class AvoidingPaths {
 public:
  AvoidingPaths(const History& history, const Predecessors& predecessors)
      : history_(history),
        predecessors_(predecessors),
        touched_(history.txn_count(), KeyId::none()),
        known_(history.txn_count(), KeyId::none()),
        reached_by_(history.txn_count()),
        collected_(history.txn_count(), false) {}

  void start(KeyId key, const std::vector<KeyTouch>& touches) {
    key_ = key;
    first_completion_ = EventId::none();
    for (const KeyTouch& touch : touches) {
      if (history_.committed(touch.txn)) {
        touched_[touch.txn.index()] = key;
        first_completion_ = std::min(first_completion_, history_.completion_id(touch.txn));
      }
    }
  }

  /// The nearest earlier operations on the key. Depth-first with an explicit stack.
  const TxnSet& nearest_before(TxnId txn) {
    stack_.assign(1, txn);
    while (!stack_.empty()) {
      const TxnId at = stack_.back();
      const std::size_t before = stack_.size();
      for (const TxnId p : predecessors_.of(at)) {
        if (passes(p) && known_[p.index()] != key_) {
          stack_.push_back(p);
        }
      }
      if (stack_.size() == before) {
        reached_by_[at.index()] = collect(at);
        known_[at.index()] = key_;
        stack_.pop_back();
      }
    }
    return reached_by_[txn.index()];
  }

 private:
  /// Whether paths may go through p, and anything on the key can lie before it.
  [[nodiscard]] bool passes(TxnId p) const {
    return touched_[p.index()] != key_ && history_.has_invocation(p) &&
           first_completion_ < history_.invocation_id(p);
  }

  [[nodiscard]] TxnSet collect(TxnId at) {
    TxnSet all;
    const auto add = [&](TxnId txn) {
      if (!collected_[txn.index()]) {
        collected_[txn.index()] = true;
        all.push_back(txn);
      }
    };
    for (const TxnId p : predecessors_.of(at)) {
      if (touched_[p.index()] == key_) {
        add(p);
      } else if (passes(p)) {
        const TxnSet& through = reached_by_[p.index()];
        std::for_each(through.begin(), through.end(), add);
      }
    }
    for (const TxnId txn : all) {
      collected_[txn.index()] = false;
    }
    return all;
  }

  const History& history_;
  const Predecessors& predecessors_;
  KeyId key_;
  EventId first_completion_;
  std::vector<KeyId> touched_;  // the last key for which the transaction was marked
  std::vector<KeyId> known_;    // the last key for which reached_by_ was computed
  std::vector<TxnSet> reached_by_;
  std::vector<bool> collected_;  // by the collect() under way
  std::vector<TxnId> stack_;
};

/// What touches each key, ascending.
std::vector<std::vector<KeyTouch>> touches_by_key(const History& history,
                                                  const RegisterVersions& versions) {
  std::vector<std::vector<KeyTouch>> touches(history.key_count());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (!versions.believed({t})) {
      continue;
    }
    for (const ExternalOp& op : versions.external().of({t})) {
      if (history.committed({t}) || !op.write.is_none()) {
        touches[op.key.index()].push_back({{t}, op});
      }
    }
  }
  return touches;
}

/// Whether Elle's sets can be rebuilt, and in reasonable time.
bool can_follow_elle(const History& history, const std::vector<std::vector<KeyTouch>>& touches) {
  constexpr std::size_t kMostSteps = 20'000'000;
  std::size_t steps = 0;
  for (const std::vector<KeyTouch>& of_key : touches) {
    steps += of_key.empty() ? 0 : of_key.back().txn.index() - of_key.front().txn.index();
  }
  return !history.info().f.is_none() && steps <= kMostSteps;
}

}  // namespace

void each_realtime_link_of_elle(const History& history, const RegisterVersions& versions,
                                const std::function<void(const KeyTouch&, const KeyTouch&)>& link) {
  const std::vector<std::vector<KeyTouch>> touches = touches_by_key(history, versions);
  if (can_follow_elle(history, touches)) {
    ElleDownstream downstream(history);
    for (const std::vector<KeyTouch>& of_key : touches) {
      downstream.each_link(of_key, link);
    }
    return;
  }
  const Predecessors predecessors(history, versions.all_believed());
  AvoidingPaths paths(history, predecessors);
  for (std::uint32_t k = 0; k < touches.size(); ++k) {
    const std::vector<KeyTouch>& of_key = touches[k];
    paths.start({k}, of_key);
    for (const KeyTouch& later : of_key) {
      for (const TxnId txn : paths.nearest_before(later.txn)) {
        const auto earlier =
            std::lower_bound(of_key.begin(), of_key.end(), txn,
                             [](const KeyTouch& touch, TxnId id) { return touch.txn < id; });
        link(*earlier, later);
      }
    }
  }
}

}  // namespace elapid
