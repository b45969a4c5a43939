#include "engine/linearize/types/replays.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/functions.h"

namespace elapid::linearize {
namespace {

template <class F>
bool calls(const Operation& op, F f) {
  return op.f == static_cast<std::uint8_t>(f);
}

/// Whether an operation may have this result.
bool may_show(const Operation& op, ValueId result) {
  return op.result.is_none() || op.result == result;
}

/// A queue or a stack: a remove takes the value at one end.
enum class End : std::uint8_t { kFirst, kLast };

class SequenceReplay : public Replay {
 public:
  explicit SequenceReplay(End taken) : taken_(taken) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, ContainerF::kAdd)) {
      values_.push_back(op.argument);
      return true;
    }
    if (values_.empty()) {
      return may_show(op, ValueId::nil());
    }
    const ValueId value = taken_ == End::kFirst ? values_.front() : values_.back();
    if (taken_ == End::kFirst) {
      values_.pop_front();
    } else {
      values_.pop_back();
    }
    return may_show(op, value);
  }

 private:
  End taken_;
  std::deque<ValueId> values_;
};

/// Removes that never returned take what is left when another remove finds nothing. An open
/// operation may be put later in an order.
class UnorderedQueueReplay : public Replay {
 public:
  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, ContainerF::kAdd)) {
      ++size_;
      ++held(op.argument);
      return true;
    }
    if (op.result.is_none()) {
      ++open_;
      return true;
    }
    if (!op.result.is_nil()) {
      --size_;
      return held(op.result)-- > 0;
    }
    const bool is_empty = size_ <= open_;
    open_ -= std::min(open_, size_);
    size_ = 0;
    ++emptied_;
    return is_empty;
  }

 private:
  struct Held {
    std::int64_t count = 0;
    std::size_t emptied = 0;  // of emptied_, when it was counted
  };

  std::int64_t& held(ValueId value) {
    const std::uint32_t number = number_of_.find_or_add(std::int64_t{value.bits()},
                                                        static_cast<std::uint32_t>(inside_.size()));
    if (number == inside_.size()) {
      inside_.emplace_back();
    }
    Held& entry = inside_[number];
    if (entry.emptied != emptied_) {
      entry = {.emptied = emptied_};
    }
    return entry.count;
  }

  IntMap number_of_;
  std::vector<Held> inside_;
  std::size_t emptied_ = 0;  // how often the queue was found empty
  std::size_t size_ = 0;
  std::size_t open_ = 0;
};

class PriorityQueueReplay : public Replay {
 public:
  PriorityQueueReplay(GoesFirst first, const ValuePool& pool) : first_(first), pool_(pool) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, ContainerF::kAdd)) {
      values_.emplace(pool_.as_integer(op.argument).value(), op.argument);
      return true;
    }
    if (values_.empty()) {
      return may_show(op, ValueId::nil());
    }
    const auto first = first_ == GoesFirst::kLeast ? values_.begin() : std::prev(values_.end());
    const bool is_it = may_show(op, first->second);
    values_.erase(first);
    return is_it;
  }

 private:
  GoesFirst first_;
  const ValuePool& pool_;
  std::multimap<std::int64_t, ValueId> values_;
};

class GrowOnlySetReplay : public Replay {
 public:
  explicit GrowOnlySetReplay(const WholeReads& reads) : reads_(reads) {}

  bool apply(const Operation& op, std::uint32_t place) override {
    if (calls(op, GrowOnlySetF::kAdd)) {
      elements_.insert(op.argument);
      return true;
    }
    const std::span<const ValueId> read = reads_.of(place);
    return read.size() == elements_.size() &&
           std::all_of(read.begin(), read.end(),
                       [this](ValueId value) { return elements_.contains(value); });
  }

 private:
  const WholeReads& reads_;
  std::unordered_set<ValueId> elements_;
};

class LockReplay : public Replay {
 public:
  LockReplay(const LockRules& rules, const ValuePool& pool) : rules_(rules), pool_(pool) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    const bool is_acquire = calls(op, LockF::kAcquire);
    if (rules_.kind == LockKind::kSemaphore) {
      return is_acquire ? take_permit(op.argument) : give_permit(op.argument);
    }
    return is_acquire ? acquire(op) : release(op.argument);
  }

 private:
  using Permits = std::multiset<ValueId>;

  bool take_permit(ValueId owner) {
    std::set<Permits> next;
    for (Permits permits : permits_) {
      if (permits.size() < rules_.limit) {
        permits.insert(owner);
        next.insert(std::move(permits));
      }
    }
    permits_ = std::move(next);
    return !permits_.empty();
  }

  bool give_permit(ValueId owner) {
    std::set<Permits> next;
    for (const Permits& permits : permits_) {
      const bool is_of_these = owner.is_nil() && permits.contains(kNeverReleases);
      for (const ValueId held : permits) {
        if (is_of_these ? held == kNeverReleases : is_one(held, owner)) {
          Permits rest = permits;
          rest.erase(rest.find(held));
          next.insert(std::move(rest));
        }
      }
    }
    permits_ = std::move(next);
    return !permits_.empty();
  }

  /// nil may be any owner.
  static bool is_one(ValueId owner, ValueId other) {
    return owner == other || owner.is_nil() || other.is_nil();
  }

  void learn(ValueId owner) { owner_ = owner_.is_nil() ? owner : owner_; }

  bool acquire(const Operation& op) {
    const bool is_reentrant =
        rules_.kind == LockKind::kReentrant || rules_.kind == LockKind::kReentrantFenced;
    const bool is_again = holds_ > 0 && is_reentrant && is_one(owner_, op.argument);
    if (holds_ > 0 && (!is_again || holds_ == rules_.limit)) {
      return false;
    }
    fence_ = is_again ? fence_ : 0;
    owner_ = is_again ? owner_ : op.argument;
    learn(op.argument);
    ++holds_;
    return is_fence_right(op);
  }

  bool is_fence_right(const Operation& op) {
    const std::int64_t shown = pool_.as_integer(op.result).value_or(0);
    const bool is_fenced =
        rules_.kind == LockKind::kFenced || rules_.kind == LockKind::kReentrantFenced;
    if (!is_fenced || shown <= 0 || shown == fence_) {
      return true;
    }
    const bool is_right = fence_ == 0 && shown > greatest_fence_;
    fence_ = greatest_fence_ = shown;
    return is_right;
  }

  bool release(ValueId owner) {
    if (holds_ == 0 || (rules_.kind != LockKind::kPlain && !is_one(owner, owner_))) {
      return false;
    }
    learn(owner);
    --holds_;
    return true;
  }

  LockRules rules_;
  const ValuePool& pool_;
  std::set<Permits> permits_ = {{}};  // which may be in use, by their owners
  ValueId owner_ = ValueId::none();
  std::uint32_t holds_ = 0;
  std::int64_t fence_ = 0;
  std::int64_t greatest_fence_ = 0;
};

class CounterReplay : public Replay {
 public:
  explicit CounterReplay(const ValuePool& pool) : pool_(pool) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, CounterF::kAdd)) {
      sum_ += pool_.as_integer(op.argument).value();
      return true;
    }
    return op.result.is_none() || sum_ == pool_.as_integer(op.result).value();
  }

 private:
  __extension__ using Sum = __int128;

  const ValuePool& pool_;
  Sum sum_ = 0;
};

class FetchAndAddReplay : public Replay {
 public:
  explicit FetchAndAddReplay(const ValuePool& pool) : pool_(pool) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    const std::optional<std::int64_t> shown = pool_.as_integer(op.result);
    const bool is_right =
        op.result.is_none() || (shown.has_value() && static_cast<std::uint64_t>(*shown) == sum_);
    sum_ += static_cast<std::uint64_t>(pool_.as_integer(op.argument).value());
    return is_right;
  }

 private:
  const ValuePool& pool_;
  std::uint64_t sum_ = 0;
};

class UniqueIdsReplay : public Replay {
 public:
  bool apply(const Operation& op, std::uint32_t place) override {
    return op.result.is_none() || ids_.find_or_add(op.result.bits(), place) == place;
  }

 private:
  IntMap ids_;  // the operation that gave each
};

class AddRemoveSetReplay : public Replay {
 public:
  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    bool result = false;
    if (calls(op, SetF::kContains)) {
      result = elements_.contains(op.argument);
    } else if (calls(op, SetF::kAdd)) {
      result = elements_.insert(op.argument).second;
    } else {
      result = elements_.erase(op.argument) > 0;
    }
    return op.result.is_none() || result == (op.result != ValuePool::false_value());
  }

 private:
  std::unordered_set<ValueId> elements_;
};

/// Holds the value as it is written; texts without their quotes.
class KvReplay : public Replay {
 public:
  KvReplay(ValueId initial, const ValuePool& pool)
      : pool_(pool), initial_(initial), value_(initial), text_(content(initial)) {}

  bool apply(const Operation& op, std::uint32_t /*place*/) override {
    if (calls(op, KvF::kGet)) {
      return op.result.is_none() || op.result == value_ ||
             (value_.is_none() && is_text(op.result) && content(op.result) == text_);
    }
    if (calls(op, KvF::kAppend)) {
      value_ = ValueId::none();
      text_ += content(op.argument);
      return true;
    }
    value_ = calls(op, KvF::kPut) ? op.argument : initial_;
    text_ = content(value_);
    return true;
  }

 private:
  [[nodiscard]] bool is_text(ValueId value) const {
    return pool_.class_of(value) == ValueClass::kString;
  }

  [[nodiscard]] std::string content(ValueId value) const {
    const std::string text = value.is_nil() ? "" : pool_.text(value);
    return !text.empty() && is_text(value) ? text.substr(1, text.size() - 2) : text;
  }

  const ValuePool& pool_;
  ValueId initial_;
  ValueId value_;  // none() once something was appended
  std::string text_;
};

}  // namespace

std::unique_ptr<Replay> fifo_queue_replay() {
  return std::make_unique<SequenceReplay>(End::kFirst);
}

std::unique_ptr<Replay> unordered_queue_replay() {
  return std::make_unique<UnorderedQueueReplay>();
}

std::unique_ptr<Replay> stack_replay() {
  return std::make_unique<SequenceReplay>(End::kLast);
}

std::unique_ptr<Replay> priority_queue_replay(GoesFirst first, const ValuePool& pool) {
  return std::make_unique<PriorityQueueReplay>(first, pool);
}

std::unique_ptr<Replay> grow_only_set_replay(const WholeReads& reads) {
  return std::make_unique<GrowOnlySetReplay>(reads);
}

std::unique_ptr<Replay> lock_replay(const LockRules& rules, const ValuePool& pool) {
  return std::make_unique<LockReplay>(rules, pool);
}

std::unique_ptr<Replay> counter_replay(const ValuePool& pool) {
  return std::make_unique<CounterReplay>(pool);
}

std::unique_ptr<Replay> fetch_and_add_replay(const ValuePool& pool) {
  return std::make_unique<FetchAndAddReplay>(pool);
}

std::unique_ptr<Replay> unique_ids_replay() {
  return std::make_unique<UniqueIdsReplay>();
}

std::unique_ptr<Replay> add_remove_set_replay() {
  return std::make_unique<AddRemoveSetReplay>();
}

std::unique_ptr<Replay> kv_replay(ValueId initial, const ValuePool& pool) {
  return std::make_unique<KvReplay>(initial, pool);
}

}  // namespace elapid::linearize
