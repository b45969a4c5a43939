#include "parsers/coo/coo_format.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "parsers/bytes/output.h"
#include "parsers/convert/plan.h"

namespace elapid {

namespace {

constexpr std::size_t kMaxTxns = 10;
constexpr std::size_t kMaxKeys = 26;

using Places = std::vector<std::size_t>;  // in Plan::txns()

/// The transactions in groups that share no key, in order of their first members. Disjoint sets,
/// whose representatives are their first members.
std::vector<Places> unrelated_groups(const Plan& plan) {
  Places parent(plan.txns().size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t place) {
    while (parent[place] != place) {
      parent[place] = parent[parent[place]];
      place = parent[place];
    }
    return place;
  };
  std::unordered_map<KeyId, std::size_t> first_on;
  std::vector<PlannedOp> ops;
  for (std::size_t place = 0; place < parent.size(); ++place) {
    plan.ops(plan.txns()[place], ops);
    for (const PlannedOp& op : ops) {
      const std::size_t one = root(first_on.try_emplace(op.key, place).first->second);
      const std::size_t other = root(place);
      parent[std::max(one, other)] = std::min(one, other);
    }
  }
  std::vector<Places> groups;
  std::vector<std::size_t> group_of(parent.size());
  for (std::size_t place = 0; place < parent.size(); ++place) {
    const std::size_t first = root(place);
    if (first == place) {
      group_of[place] = groups.size();
      groups.emplace_back();
    }
    groups[group_of[first]].push_back(place);
  }
  return groups;
}

/// A line: transactions one after another.
class Schedule {
 public:
  Schedule(const Plan& plan, OutputFile& out) : plan_(plan), out_(out) {}

  Status write(const Places& txns) {
    if (txns.size() > kMaxTxns) {
      return too_large();
    }
    for (std::size_t number = 0; number < txns.size(); ++number) {
      out_ << (number == 0 ? "" : " ");
      ELAPID_RETURN_IF_ERROR(write_txn(plan_.txns()[txns[number]], number));
    }
    out_ << '\n';
    return {};
  }

 private:
  /// The content of keys while the schedule runs; empty at first.
  using State = std::unordered_map<KeyId, ValueId>;

  static Error too_large() {
    return usage_error(
        "a schedule has no more than 10 transactions and 26 keys, and more of these belong "
        "together");
  }

  static bool sees(const State& state, const PlannedOp& read) {
    const auto held = state.find(read.key);
    return read.is_initial ? held == state.end()
                           : held != state.end() && held->second == read.value;
  }

  Status write_txn(const PlannedTxn& txn, std::size_t number) {
    State state = committed_;
    plan_.ops(txn, ops_);
    for (const PlannedOp& op : ops_) {
      const bool is_read = op.kind == OpKind::kRead;
      if (is_read && !sees(state, op)) {
        const History& history = plan_.history();
        return usage_error("a read of " + history.text(op.value) + " from key " +
                           history.key_text(op.key) +
                           " does not see the latest write before it: a schedule has no values");
      }
      if (!is_read) {
        state[op.key] = op.value;
      }
      const std::size_t item = items_.try_emplace(op.key, items_.size()).first->second;
      if (item >= kMaxKeys) {
        return too_large();
      }
      out_ << (is_read ? 'R' : 'W') << number << static_cast<char>('a' + static_cast<char>(item))
           << ' ';
    }
    const bool commits = txn.status == TxnStatus::kCommitted;
    out_ << (commits ? 'C' : 'A') << number;
    if (commits) {
      committed_ = std::move(state);
    }
    return {};
  }

  const Plan& plan_;
  OutputFile& out_;
  std::unordered_map<KeyId, std::size_t> items_;
  State committed_;
  std::vector<PlannedOp> ops_;
};

}  // namespace

Status write_coo(const Plan& plan, OutputFile& out) {
  Places all(plan.txns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  if (all.empty()) {
    return {};
  }
  const bool is_one = all.size() <= kMaxTxns && plan.count_planned_keys() <= kMaxKeys;
  for (const Places& txns : is_one ? std::vector<Places>{all} : unrelated_groups(plan)) {
    ELAPID_RETURN_IF_ERROR(Schedule(plan, out).write(txns));
  }
  return {};
}

}  // namespace elapid
