#include "engine/advise/promotion.h"

#include <algorithm>
#include <set>

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

/// Whether a lock without a new version lets something happen that the update does not.
bool needs_update(const Application& application, const PromotedRead& read,
                  const std::vector<Level>& levels) {
  std::set<ItemId> unwritten;  // items of which the lock makes no version
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
         std::ranges::any_of(application.transactions, [&](const Transaction& transaction) {
           return transaction.program != read.program &&
                  levels[transaction.program] != Level::kReadCommitted &&
                  std::ranges::any_of(unwritten,
                                      [&](ItemId item) { return writes(transaction, item); });
         });
}

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
  const std::optional<LowestLevels> before = lowest_levels(application, offered, keep_going);
  if (!before) {
    return std::nullopt;
  }
  std::vector<Promotion> found;
  for (const PromotedRead& read : promotable(application)) {
    std::optional<LowestLevels> after =
        lowest_levels(promoted(application, read), offered, keep_going);
    if (!after) {
      return std::nullopt;
    }
    bool is_lower = false;
    bool is_higher = false;
    for (std::size_t p = 0; p < after->levels.size(); ++p) {
      is_lower = is_lower || after->levels[p] < before->levels[p];
      is_higher = is_higher || after->levels[p] > before->levels[p];
    }
    if (after->is_robust && (!before->is_robust || (is_lower && !is_higher))) {
      const bool is_locked_only = needs_update(application, read, after->levels);
      found.push_back({read, std::move(after->levels), is_locked_only});
    }
  }
  return found;
}

}  // namespace elapid::advise
