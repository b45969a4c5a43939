#include "engine/linearize/register_core.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "engine/linearize/register.h"
#include "engine/linearize/register_pass.h"
#include "engine/linearize/sweep_plan.h"

namespace elapid::linearize {

namespace {

constexpr std::size_t kWindow = 256;
constexpr std::size_t kMostInCore = 12;
constexpr std::size_t kMostContents = 64;
constexpr std::uint64_t kWorkOfTrial = 200'000;

bool changes(const Operation& operation) {
  return register_f(operation) == RegisterF::kWrite || register_f(operation) == RegisterF::kCas;
}

/// Operations that are claimed to have no order.
struct Relaxed {
  Operations operations = {};          ///< those of the core, and open ones
  std::vector<ValueId> contents = {};  ///< the register holds one of them at first
};

/// A depth-first search. A state is the set of the core's operations that took effect, and the
/// content.
class RelaxedSearch {
 public:
  explicit RelaxedSearch(const Relaxed& relaxed) : relaxed_(relaxed) {
    for (const Operation& operation : relaxed.operations) {
      (operation.is_open() ? open_ : tight_).push_back(operation);
    }
  }

  bool finds_order() {
    return std::ranges::any_of(relaxed_.contents,
                               [this](ValueId content) { return goes_on(0, content, 0); });
  }

 private:
  /// `latest`: the latest invocation of the operations in `done` and of the open ones that took
  /// effect.
  bool goes_on(std::uint32_t done, ValueId content, std::uint32_t latest) {
    if (!tried_.insert({done, content.bits(), latest}).second) {
      return false;
    }
    if (done + 1 == 1U << tight_.size()) {
      return true;
    }
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      if ((done >> i & 1U) == 0 && tight_[i].returned < latest) {
        return false;  // it returned before another was invoked
      }
    }
    for (std::size_t i = 0; i < tight_.size(); ++i) {
      const auto next = RegisterModel::after(content, tight_[i]);
      if ((done >> i & 1U) == 0 && next &&
          goes_on(done | 1U << i, *next, std::max(latest, tight_[i].invoked))) {
        return true;
      }
    }
    return std::ranges::any_of(open_, [&](const Operation& operation) {
      const auto next = RegisterModel::after(content, operation);
      return next && *next != content && goes_on(done, *next, std::max(latest, operation.invoked));
    });
  }

  const Relaxed& relaxed_;
  Operations tight_;
  Operations open_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> tried_;
};

class CoreFinder {
 public:
  CoreFinder(const Operations& operations, std::uint32_t last, ValueId initial)
      : operations_(operations), last_(last) {
    contents_.push_back(initial);
    std::unordered_set<ValueId> known = {initial};
    for (const Operation& operation : operations) {
      if (changes(operation) && operation.invoked < operations[last].returned) {
        const ValueId left =
            register_f(operation) == RegisterF::kCas ? operation.result : operation.argument;
        if (contents_.size() <= kMostContents && known.insert(left).second) {
          contents_.push_back(left);
        }
      }
    }
  }

  RegisterCore find() {
    if (contents_.size() > kMostContents) {
      return {};
    }
    const std::vector<std::uint32_t> candidates = window();
    for (std::size_t size = 2; !is_from_beginning_; size *= 2) {
      const std::size_t taken = std::min(size, candidates.size());
      std::vector<std::uint32_t> core(candidates.end() - static_cast<std::ptrdiff_t>(taken),
                                      candidates.end());
      is_from_beginning_ = taken == candidates.size() && !is_refuted(core);
      if (is_from_beginning_) {
        contents_.resize(1);  // the initial value
      }
      if (is_refuted(core)) {
        return shrunk(std::move(core));
      }
    }
    return {};
  }

 private:
  /// The last operations that were invoked before the sweep ended, and that returned.
  [[nodiscard]] std::vector<std::uint32_t> window() const {
    std::vector<std::uint32_t> places;
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      if (!operations_[i].is_open() && operations_[i].invoked < operations_[last_].returned) {
        places.push_back(i);
      }
    }
    if (places.size() > kWindow) {
      places.erase(places.begin(), places.end() - kWindow);
    }
    return places;
  }

  /// The operations from the first invocation of the core to the end.
  [[nodiscard]] Relaxed relaxed(const std::vector<std::uint32_t>& core) const {
    Relaxed made = {.contents = contents_};
    const std::uint32_t begin = is_from_beginning_ ? 0 : operations_[core.front()].invoked;
    const std::uint32_t end = operations_[last_].returned;
    std::set<std::tuple<std::uint8_t, ValueId, ValueId>> known;
    for (std::uint32_t i = 0; i < operations_.size(); ++i) {
      Operation operation = operations_[i];
      if (operation.invoked > end) {
        break;
      }
      if (std::ranges::binary_search(core, i)) {
        made.operations.push_back(operation);
      } else if (changes(operation) && operation.returned > begin &&
                 known.insert({operation.f, operation.argument, operation.result}).second) {
        operation.returned = kNever;  // the first one stands for all with this effect
        made.operations.push_back(operation);
      }
    }
    return made;
  }

  [[nodiscard]] bool is_refuted(const std::vector<std::uint32_t>& core) const {
    const Relaxed trial = relaxed(core);
    return std::ranges::all_of(trial.contents, [&](ValueId content) {
      const SweepPlan plan = sweep_plan(trial.operations, content);
      std::uint64_t spent = 0;
      const auto may_go_on = [&spent](std::uint64_t work) {
        spent += work;
        return spent < kWorkOfTrial;
      };
      if (plan.most_open > SlotMask<4>::kSlots) {
        return false;
      }
      const PassResult pass = RegisterPass<4>(plan, Counting::kUnlimited, may_go_on).run();
      return pass.is_finished && !pass.is_possible;
    });
  }

  /// Relaxes one operation after the other, the earliest first.
  [[nodiscard]] RegisterCore shrunk(std::vector<std::uint32_t> core) const {
    for (std::size_t i = 0; i < core.size() && core.size() > 1;) {
      std::vector<std::uint32_t> fewer = core;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      if (is_refuted(fewer)) {
        core = std::move(fewer);
      } else {
        ++i;
      }
    }
    if (core.size() > kMostInCore) {
      return {};
    }
    const Relaxed found = relaxed(core);
    return RelaxedSearch(found).finds_order()
               ? RegisterCore()
               : RegisterCore{.places = std::move(core), .is_from_beginning = is_from_beginning_};
  }

  const Operations& operations_;
  std::uint32_t last_;
  std::vector<ValueId> contents_;  // which the register may hold at first; the initial one in front
  bool is_from_beginning_ = false;
};

}  // namespace

RegisterCore core_of(const Operations& operations, const RegisterJudgement& judgement,
                     ValueId initial) {
  return CoreFinder(operations, judgement.operations.front(), initial).find();
}

}  // namespace elapid::linearize
