#include "engine/advise/promotion.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>

namespace elapid::advise {
namespace {

void promote(Transaction& transaction, std::uint32_t number) {
  std::vector<Operation> operations;
  std::vector<ItemId> own;  // items of the promoted read, once it was reached
  const auto is_own = [&](ItemId item) { return std::ranges::binary_search(own, item); };
  for (Operation operation : transaction.operations) {
    std::erase_if(operation.reads, is_own);
    std::erase_if(operation.writes, is_own);
    if (operation.number == number) {
      own = operation.reads;
      operation.writes = operation.reads;
    }
    if (!operation.reads.empty() || !operation.writes.empty()) {
      operations.push_back(std::move(operation));
    }
  }
  transaction.operations = std::move(operations);
}

bool writes(const Transaction& transaction, ItemId item) {
  return std::ranges::any_of(transaction.operations, [&](const Operation& operation) {
    return std::ranges::binary_search(operation.writes, item);
  });
}

/// Whether a lock without a new version lets something happen that the update does not. `changed`:
/// with all promotions.
bool needs_update(const Application& application, const Application& changed,
                  const PromotedRead& read, const std::vector<Level>& levels) {
  std::set<ItemId> unwritten;  // the lock makes no version of these
  for (const Transaction& transaction : application.transactions) {
    for (const Operation& operation : transaction.operations) {
      if (transaction.program == read.program && operation.number == read.operation) {
        std::ranges::copy_if(operation.reads, std::inserter(unwritten, unwritten.end()),
                             [&](ItemId item) { return !writes(transaction, item); });
      }
    }
  }
  if (unwritten.empty()) {
    return false;
  }
  const Level own = levels[read.program];
  return own == Level::kSerializable || (own != Level::kReadCommitted && !application.is_once) ||
         std::ranges::any_of(changed.transactions, [&](const Transaction& transaction) {
           return transaction.program != read.program &&
                  levels[transaction.program] != Level::kReadCommitted &&
                  std::ranges::any_of(unwritten,
                                      [&](ItemId item) { return writes(transaction, item); });
         });
}

/// How many levels lower the allocation is, summed over programs; 0 if a program needs a higher
/// one.
std::size_t gain(const LowestLevels& before, const LowestLevels& after) {
  std::size_t lower = 0;
  for (std::size_t p = 0; p < after.levels.size(); ++p) {
    if (before.is_robust && after.levels[p] > before.levels[p]) {
      return 0;
    }
    lower +=
        static_cast<std::size_t>(Level::kSerializable) - static_cast<std::size_t>(after.levels[p]);
    lower -= before.is_robust ? static_cast<std::size_t>(Level::kSerializable) -
                                    static_cast<std::size_t>(before.levels[p])
                              : 0;
  }
  return !after.is_robust ? 0 : before.is_robust ? lower : lower + 1;
}

/// An application and its lowest levels, and the reads that were promoted for it.
struct Promoted {
  Application application = {};
  LowestLevels lowest = {};
  std::vector<PromotedRead> reads = {};
};

class PromotionSearch {
 public:
  PromotionSearch(const Application& application, const OfferedLevels& offered,
                  const std::function<bool()>& keep_going)
      : application_(application), offered_(offered), keep_going_(keep_going) {}

  std::optional<std::vector<Promotion>> find() {
    const std::optional<LowestLevels> before = lowest_levels(application_, offered_, keep_going_);
    if (!before) {
      return std::nullopt;
    }
    Promoted at = {.application = application_, .lowest = *before};
    std::vector<Promotion> found;
    for (;;) {
      std::optional<Promoted> best;
      std::size_t most = 0;
      for (const PromotedRead& read : promotable(at.application)) {
        std::optional<Promoted> next = with(at, read);
        if (!next) {
          return std::nullopt;
        }
        const std::size_t lower = gain(at.lowest, next->lowest);
        if (lower > 0 && at.reads.empty()) {
          found.push_back(promotion(*next));
        }
        if (lower > most) {
          most = lower;
          best = std::move(next);
        }
      }
      if (!best) {
        break;
      }
      at = *std::move(best);
    }
    if (at.reads.size() > 1) {
      found.push_back(promotion(at));
    }
    return found;
  }

 private:
  /// Nothing if the caller told it to stop.
  std::optional<Promoted> with(const Promoted& at, const PromotedRead& read) {
    Promoted next = {.application = promoted(at.application, read), .reads = at.reads};
    next.reads.push_back(read);
    std::optional<LowestLevels> lowest = lowest_levels(next.application, offered_, keep_going_);
    if (!lowest) {
      return std::nullopt;
    }
    next.lowest = *std::move(lowest);
    return next;
  }

  [[nodiscard]] Promotion promotion(const Promoted& made) const {
    Promotion promotion = {.reads = made.reads, .levels = made.lowest.levels};
    for (const PromotedRead& read : made.reads) {
      promotion.needs_update.push_back(
          needs_update(application_, made.application, read, promotion.levels));
    }
    return promotion;
  }

  const Application& application_;
  const OfferedLevels& offered_;
  const std::function<bool()>& keep_going_;
};

}  // namespace

std::vector<PromotedRead> promotable(const Application& application) {
  std::vector<PromotedRead> reads;
  for (const std::uint32_t t : application.representatives()) {
    const Transaction& transaction = application.transactions[t];
    for (const Operation& operation : transaction.operations) {
      if (operation.writes.empty()) {
        reads.push_back({.program = transaction.program, .operation = operation.number});
      }
    }
  }
  return reads;
}

Application promoted(const Application& application, const PromotedRead& read) {
  Application changed = application;
  for (Transaction& transaction : changed.transactions) {
    if (transaction.program == read.program) {
      promote(transaction, read.operation);
    }
  }
  return changed;
}

std::optional<std::vector<Promotion>> promotions(const Application& application,
                                                 const OfferedLevels& offered,
                                                 const std::function<bool()>& keep_going) {
  return PromotionSearch(application, offered, keep_going).find();
}

}  // namespace elapid::advise
