#include "engine/linearize/types/grow_only_set.h"

#include <algorithm>
#include <utility>

#include "engine/ir/int_map.h"
#include "engine/linearize/types/timed_order.h"

namespace elapid::linearize {
namespace {

constexpr std::uint32_t kNoGroup = 0xffffffffU;

struct Element {
  std::uint32_t first_add;  ///< by invocation
  std::uint32_t ends_add;   ///< that which returns first
  std::uint32_t from;
  std::uint32_t to;                ///< its return
  std::uint32_t group = kNoGroup;  ///< the first set that has it
};

bool adds(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(GrowOnlySetF::kAdd);
}

class GrowOnlySet {
 public:
  GrowOnlySet(const Operations& operations, const WholeReads& reads)
      : operations_(operations), reads_(reads), group_of_(operations.size(), kNoGroup) {}

  Judgement run() && {
    collect();
    if (Judgement judgement = find_groups(); judgement.pattern != Pattern::kNone) {
      return judgement;
    }
    return find_times();
  }

 private:
  void collect() {
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      const Operation& op = operations_[place];
      if (!adds(op)) {
        by_size_.push_back(place);
        continue;
      }
      const auto fresh = static_cast<std::uint32_t>(elements_.size());
      const std::uint32_t number = number_of_.find_or_add(op.argument.bits(), fresh);
      if (number == fresh) {
        elements_.push_back(
            {.first_add = place, .ends_add = place, .from = op.invoked, .to = op.returned});
      }
      if (op.returned < elements_[number].to) {
        elements_[number].to = op.returned;
        elements_[number].ends_add = place;
      }
    }
    std::stable_sort(by_size_.begin(), by_size_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return reads_.of(a).size() < reads_.of(b).size();
    });
  }

  /// Numbers the sets in the order of inclusion.
  Judgement find_groups() {
    std::size_t size = 0;
    for (std::size_t i = 0; i < by_size_.size(); ++i) {
      const std::uint32_t read = by_size_[i];
      const std::span<const ValueId> elements = reads_.of(read);
      if (i == 0 || elements.size() > size) {
        ++group_count_;
      }
      std::size_t older = 0;
      for (const ValueId value : elements) {
        const std::uint32_t number = number_of_.find(value.bits());
        if (number == IntMap::kAbsent) {
          return refuted(Pattern::kNeverAdded, {read});
        }
        std::uint32_t& group = elements_[number].group;
        older += group < group_count_ - 1 ? 1 : 0;
        if (group == kNoGroup && i > 0 && elements.size() == size) {
          return refuted(Pattern::kIncomparable, {by_size_[i - 1], read});
        }
        group = std::min(group, group_count_ - 1);
      }
      // The elements of the smaller set must all be in this one.
      if (elements.size() > size && older != size) {
        return refuted(Pattern::kIncomparable, {by_size_[i - 1], read});
      }
      group_of_[read] = group_count_ - 1;
      size = elements.size();
    }
    return {};
  }

  /// Within a group, elements come before reads.
  Judgement find_times() {
    std::vector<Member> members;
    for (const std::uint32_t read : by_size_) {
      members.push_back({2 * group_of_[read] + 1, operations_[read].invoked,
                         operations_[read].returned, read, read});
    }
    for (const Element& element : elements_) {
      if (element.group != kNoGroup || element.to != kNever) {
        members.push_back({2 * std::min(element.group, group_count_), element.from, element.to,
                           element.first_add, element.ends_add});
      }
    }
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) {
      return std::pair(a.group, a.from) < std::pair(b.group, b.from);
    });
    return in_time(members);
  }

  struct Member {
    std::uint32_t group;
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t place;
    std::uint32_t ends;  ///< the operation that returns at `to`
  };

  /// Of two adds, a read tells which one came first.
  [[nodiscard]] Judgement against_time(const Member& first, const Member& second) const {
    if (!adds(operations_[first.place]) || !adds(operations_[second.place])) {
      return refuted(Pattern::kAgainstTime, {first.place, second.ends});
    }
    const auto tells = std::ranges::find_if(
        by_size_, [&](std::uint32_t read) { return 2 * group_of_[read] == first.group; });
    return refuted(Pattern::kAgainstTime, {first.place, second.ends, *tells});
  }

  Judgement in_time(const std::vector<Member>& members) {
    TimedOrder order;
    std::vector<std::uint32_t> came_at(operations_.size(), kNever);
    const Member* latest = nullptr;
    for (const Member& member : members) {
      if (latest != nullptr && latest->from > member.to) {
        return against_time(*latest, member);
      }
      if (latest == nullptr || latest->from < member.from) {
        latest = &member;
      }
      came_at[member.place] = latest->from;
      order.add(latest->from, member.group, member.place);
    }
    for (std::uint32_t place = 0; place < operations_.size(); ++place) {
      if (adds(operations_[place]) && !operations_[place].is_open() && came_at[place] == kNever) {
        const Element& element = elements_[number_of_.find(operations_[place].argument.bits())];
        order.add(std::max(came_at[element.first_add], operations_[place].invoked),
                  2 * group_count_ + 1, place);
      }
    }
    return linearizable(std::move(order).sorted());
  }

  const Operations& operations_;
  const WholeReads& reads_;
  IntMap number_of_;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> by_size_;  // the reads
  std::vector<std::uint32_t> group_of_;
  std::uint32_t group_count_ = 0;
};

}  // namespace

Judgement judge_grow_only_set(const Operations& operations, const WholeReads& reads) {
  return GrowOnlySet(operations, reads).run();
}

}  // namespace elapid::linearize
