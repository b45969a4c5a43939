#include "engine/elle/key_links.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/elle/downstream.h"
#include "engine/infer/order.h"

namespace elapid::elle {

namespace {

// Nearest earlier operations on a key along the paths of Elle's real-time graph that avoid the key.

/// One key after another; `history` is borrowed.
class AvoidingPaths {
 public:
  using TxnSet = std::vector<TxnId>;  // in no order, without repetitions

  explicit AvoidingPaths(const History& history);

  /// Begins with the next key, which `touching` touch.
  void start(std::span<const TxnId> touching);

  /// The committed transactions that touch the key and come nearest before this one. Depth-first
  /// with an explicit stack; valid until the next call.
  const TxnSet& nearest_before(TxnId txn);

 private:
  [[nodiscard]] bool passes(TxnId txn) const;
  [[nodiscard]] TxnSet collect(TxnId at);

  const History& history_;
  std::vector<TxnSet> predecessors_;  // in the real-time graph
  std::uint32_t key_ = 0;             // counts the keys that were begun
  EventId first_completion_;
  std::vector<std::uint32_t> touched_;  // the last key for which the transaction was marked
  std::vector<std::uint32_t> known_;    // the last key for which reached_by_ was computed
  std::vector<TxnSet> reached_by_;
  std::vector<bool> collected_;  // by the collect() under way
  std::vector<TxnId> stack_;
};

AvoidingPaths::AvoidingPaths(const History& history)
    : history_(history),
      predecessors_(history.txn_count()),
      touched_(history.txn_count(), 0),
      known_(history.txn_count(), 0),
      reached_by_(history.txn_count()),
      collected_(history.txn_count(), false) {
  std::vector<bool> possible(history.txn_count());
  for (std::uint32_t t = 0; t < possible.size(); ++t) {
    possible[t] = history.has_completion({t}) && history.status({t}) != TxnStatus::kAborted;
  }
  std::vector<LabelledEdge> edges;
  add_realtime_edges(
      history, EventOrder(history), possible, [](TxnId, TxnId) { return true; }, edges);
  for (const LabelledEdge& edge : edges) {
    predecessors_[edge.to].push_back({edge.from});
  }
}

void AvoidingPaths::start(std::span<const TxnId> touching) {
  ++key_;
  first_completion_ = EventId::none();
  for (const TxnId txn : touching) {
    if (history_.committed(txn)) {
      touched_[txn.index()] = key_;
      first_completion_ = std::min(first_completion_, history_.completion_id(txn));
    }
  }
}

const AvoidingPaths::TxnSet& AvoidingPaths::nearest_before(TxnId txn) {
  stack_.assign(1, txn);
  while (!stack_.empty()) {
    const TxnId at = stack_.back();
    const std::size_t before = stack_.size();
    for (const TxnId p : predecessors_[at.index()]) {
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

/// Whether paths may go through the transaction, and operations on the key can come before it.
bool AvoidingPaths::passes(TxnId txn) const {
  return touched_[txn.index()] != key_ && history_.has_invocation(txn) &&
         first_completion_ < history_.invocation_id(txn);
}

AvoidingPaths::TxnSet AvoidingPaths::collect(TxnId at) {
  TxnSet all;
  const auto add = [&](TxnId txn) {
    if (!collected_[txn.index()]) {
      collected_[txn.index()] = true;
      all.push_back(txn);
    }
  };
  for (const TxnId p : predecessors_[at.index()]) {
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

bool is_falsy(const History& history, KeyId key) {
  return !history.values().truthy(history.key_value(key));
}

/// What touches each key, ascending. Elle does not know what :info read.
std::vector<std::vector<KeyTouch>> touches_by_key(const History& history, const RegisterOps& ops) {
  std::vector<std::vector<KeyTouch>> touches(history.key_count());
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    for (const RegisterOp& op : ops.of({t})) {
      if (history.committed({t}) || !op.write.is_none()) {
        touches[op.key.index()].push_back({{t}, op});
      }
    }
  }
  return touches;
}

std::vector<TxnId> transactions(const std::vector<KeyTouch>& touches) {
  std::vector<TxnId> txns;
  txns.reserve(touches.size());
  for (const KeyTouch& touch : touches) {
    txns.push_back(touch.txn);
  }
  return txns;
}

/// Whether Elle's sets can be rebuilt, and in reasonable time.
bool can_follow_library(const History& history, const std::vector<std::vector<KeyTouch>>& touches) {
  constexpr std::size_t kMostSteps = 20'000'000;
  std::size_t steps = 0;
  for (const std::vector<KeyTouch>& of_key : touches) {
    steps += of_key.empty() ? 0 : of_key.back().txn.index() - of_key.front().txn.index();
  }
  return !history.info().f.is_none() && steps <= kMostSteps;
}

/// Every pair of operations such that the first was committed before the second was invoked.
void link_all(const History& history, const std::vector<KeyTouch>& touches, const KeyLink& link) {
  for (const KeyTouch& earlier : touches) {
    for (const KeyTouch& later : touches) {
      if (history.committed(earlier.txn) && history.has_invocation(later.txn) &&
          history.completion_id(earlier.txn) < history.invocation_id(later.txn)) {
        link(earlier, later);
      }
    }
  }
}

}  // namespace

void each_session_link(const History& history, const RegisterOps& ops, const KeyLink& link) {
  std::vector<std::vector<KeyTouch>> before(history.key_count());  // in the session at hand
  for (std::uint32_t s = 0; s < history.session_count(); ++s) {
    std::vector<KeyId> touched;
    for (const TxnId txn : history.session_txns({s})) {
      for (const RegisterOp& op : history.committed(txn) ? ops.of(txn) : ops.of(txn).first(0)) {
        std::vector<KeyTouch>& of_key = before[op.key.index()];
        for (const KeyTouch& earlier : of_key) {
          link(earlier, {txn, op});
        }
        if (!is_falsy(history, op.key)) {
          of_key.clear();
        }
        of_key.push_back({txn, op});
        touched.push_back(op.key);
      }
    }
    for (const KeyId key : touched) {
      before[key.index()].clear();
    }
  }
}

void each_realtime_link(const History& history, const RegisterOps& ops, const KeyLink& link) {
  std::vector<std::vector<KeyTouch>> touches = touches_by_key(history, ops);
  for (std::uint32_t k = 0; k < touches.size(); ++k) {
    if (is_falsy(history, {k})) {
      link_all(history, std::exchange(touches[k], {}), link);
    }
  }
  if (can_follow_library(history, touches)) {
    Downstream downstream(history);
    for (const std::vector<KeyTouch>& of_key : touches) {
      downstream.each_link(transactions(of_key), [&](std::uint32_t earlier, std::uint32_t later) {
        link(of_key[earlier], of_key[later]);
      });
    }
    return;
  }
  AvoidingPaths paths(history);
  for (const std::vector<KeyTouch>& of_key : touches) {
    const std::vector<TxnId> touching = transactions(of_key);
    paths.start(touching);
    for (const KeyTouch& later : of_key) {
      for (const TxnId txn : paths.nearest_before(later.txn)) {
        const auto earlier = std::ranges::lower_bound(touching, txn) - touching.begin();
        link(of_key[static_cast<std::size_t>(earlier)], later);
      }
    }
  }
}

}  // namespace elapid::elle
