#include "engine/advise/interleaving.h"

#include <algorithm>
#include <map>

namespace elapid::advise {
namespace {

using Contents = std::map<ItemId, std::vector<std::size_t>>;

class Performance {
 public:
  Performance(const Application& application, const Counterexample& counterexample)
      : application_(application), split_(counterexample.split) {
    made_.transactions = {split_.first};
    made_.transactions.insert(made_.transactions.end(), split_.others.begin(), split_.others.end());
    for (const std::uint32_t t : made_.transactions) {
      made_.levels.push_back(counterexample.levels[application.transactions[t].program]);
    }
    snapshots_.resize(made_.transactions.size());
  }

  Interleaving perform() {
    run(0, 0, split_.prefix);
    for (std::size_t other = 1; other < made_.transactions.size(); ++other) {
      run(other, 0, operations(other).size());
      commit(other);
    }
    run(0, split_.prefix, operations(0).size());
    commit(0);
    made_.finally.assign(committed_.begin(), committed_.end());
    add_edges();
    return std::move(made_);
  }

 private:
  [[nodiscard]] const std::vector<Operation>& operations(std::size_t participant) const {
    return application_.transactions[made_.transactions[participant]].operations;
  }

  void run(std::size_t participant, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (i == 0) {
        snapshots_[participant] = committed_;
      }
      const bool sees_newest = made_.levels[participant] == Level::kReadCommitted;
      const Contents& seen = sees_newest ? committed_ : snapshots_[participant];
      InterleavingStep step = {.participant = participant, .operation = i};
      for (const ItemId item : operations(participant)[i].reads) {
        const auto found = seen.find(item);
        step.found.emplace_back(item,
                                found == seen.end() ? std::vector<std::size_t>() : found->second);
      }
      made_.steps.push_back(std::move(step));
    }
  }

  void commit(std::size_t participant) {
    for (const Operation& operation : operations(participant)) {
      for (const ItemId item : operation.writes) {
        committed_[item].push_back(participant);
      }
    }
    made_.steps.push_back({.participant = participant});
  }

  /// An item that `from` reads or writes and that `to` reads or writes in its operations from
  /// `begin` on.
  [[nodiscard]] std::optional<ItemId> shared(std::size_t from, bool from_writes, std::size_t to,
                                             bool to_writes, std::size_t begin = 0) const {
    for (const Operation& one : operations(from)) {
      for (const ItemId item : from_writes ? one.writes : one.reads) {
        for (std::size_t i = begin; i < operations(to).size(); ++i) {
          const Operation& other = operations(to)[i];
          if (std::ranges::binary_search(to_writes ? other.writes : other.reads, item)) {
            return item;
          }
        }
      }
    }
    return std::nullopt;
  }

  void add_edges() {
    const std::size_t count = made_.transactions.size();
    // The last operation before the split reads what T2 overwrites.
    for (const ItemId item : operations(0)[split_.prefix - 1].reads) {
      if (made_.edges.empty() && writes(1, item)) {
        made_.edges.push_back({.from = 0, .to = 1, .relation = "rw", .item = item});
      }
    }
    for (std::size_t i = 1; i < count; ++i) {
      const std::size_t to = (i + 1) % count;
      const bool sees_newest = to != 0 || made_.levels[0] == Level::kReadCommitted;
      const std::size_t begin = to == 0 ? split_.prefix : 0;  // T1 behind the split
      if (const auto read = shared(i, true, to, false, begin); read && sees_newest) {
        made_.edges.push_back({.from = i, .to = to, .relation = "wr", .item = *read});
      } else if (const auto written = shared(i, true, to, true, begin)) {
        made_.edges.push_back({.from = i, .to = to, .relation = "ww", .item = *written});
      } else if (const auto overwritten = shared(i, false, to, true)) {
        made_.edges.push_back({.from = i, .to = to, .relation = "rw", .item = *overwritten});
      }
    }
  }

  [[nodiscard]] bool writes(std::size_t participant, ItemId item) const {
    return std::ranges::any_of(operations(participant), [&](const Operation& operation) {
      return std::ranges::binary_search(operation.writes, item);
    });
  }

  const Application& application_;
  const Split& split_;
  Interleaving made_ = {};
  std::vector<Contents> snapshots_ = {};  // by participant: what was committed before it
  Contents committed_ = {};
};

}  // namespace

Interleaving carry_out(const Application& application, const Counterexample& counterexample) {
  return Performance(application, counterexample).perform();
}

}  // namespace elapid::advise
