#include "engine/elle/key_links.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/elle/avoiding_paths.h"
#include "engine/elle/downstream.h"

namespace elapid::elle {

namespace {

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
