#include "harness/separate/separate.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "engine/check/check.h"
#include "engine/levels/entailment.h"
#include "engine/levels/ladder.h"

namespace elapid {

namespace {

std::vector<TinyMop> mops_of(const SmallTxn& txn, bool are_lists) {
  constexpr char kFirstKey = 'x';
  constexpr int kKeysFromX = 3;
  std::vector<TinyMop> mops;
  for (const SmallOp& op : txn.ops) {
    TinyMop& mop = mops.emplace_back();
    mop.kind = op.is_write ? (are_lists ? OpKind::kAppend : OpKind::kWrite)
                           : (are_lists ? OpKind::kReadList : OpKind::kRead);
    mop.key = op.key < kKeysFromX ? static_cast<char>(kFirstKey + op.key)
                                  : static_cast<char>('a' + op.key - kKeysFromX);
    mop.values.assign(op.values.begin(), op.values.begin() + op.length);
  }
  return mops;
}

/// Sessions are numbered in the order in which they begin.
TinyHistory placed(const SmallShape& shape, bool are_lists, const SmallPlacement& placement) {
  TinyHistory history{.model = are_lists ? Workload::kListAppend : Workload::kRwRegister};
  std::array<std::int64_t, kSmallTxns> processes;
  processes.fill(-1);
  std::int64_t begun = 0;
  std::array<bool, kSmallTxns> is_open = {};
  for (const std::size_t t : placement.steps) {
    std::int64_t& process = processes[placement.sessions[t]];
    process = process < 0 ? begun++ : process;
    std::vector<TinyMop> mops = mops_of(shape[t], are_lists);
    const EventType completion = shape[t].is_aborted ? EventType::kFail : EventType::kOk;
    if (!std::exchange(is_open[t], true)) {
      history.events.push_back({EventType::kInvoke, process, as_invoked(std::move(mops))});
    } else {
      history.events.push_back({completion, process, std::move(mops)});
    }
  }
  return history;
}

bool looks_at_real_time(Model model) {
  return !entailed(Model::kStrongSessionSerializable).test(model);
}

/// The levels searched for: some must allow a history, the others forbid it.
struct Wanted {
  ModelSet allowing = {};
  ModelSet forbidding = {};

  [[nodiscard]] bool needs_times() const {
    return std::ranges::any_of(forbidding, looks_at_real_time);
  }

  /// The levels to check. Other levels decide those without an engine of their own.
  [[nodiscard]] CheckOptions options() const {
    const ModelSet models = allowing | forbidding;
    const bool need_others =
        std::ranges::any_of(models, [](Model model) { return !order_level(model); });
    return {.models = need_others ? ModelSet::all() : models, .each_model = true};
  }
};

/// Tries small histories in the order of their sizes.
class SmallHistories {
 public:
  /// Called for each history that is not strictly serializable; false ends the search.
  using Use = std::function<Result<bool>(const TinyHistory&, ShapeSize)>;

  SmallHistories(ShapeSize most, const SizeObserver& observer) : most_(most), observer_(observer) {}

  /// Enumerates the histories. `wanted` may shrink meanwhile. Error: of `use` or of the observer.
  Status for_all(const Wanted& wanted, const Use& use) {
    for (std::size_t txns = 1; txns <= most_.txns; ++txns) {
      for (std::size_t ops = txns; ops <= most_.ops; ++ops) {
        if (observer_ && !observer_({txns, ops})) {
          return Error{.kind = ErrorKind::kInternal, .message = "interrupted"};
        }
        for (const bool are_lists : {false, true}) {
          if (wanted.forbidding.none() ||
              !try_all({txns, ops}, {are_lists, ops > kWholeOps}, wanted.needs_times(), use)) {
            return status_;
          }
        }
      }
    }
    return status_;
  }

 private:
  bool try_all(ShapeSize size, ShapeKind kind, bool with_times, const Use& use) {
    const std::vector<SmallPlacement> placements = all_placements(size.txns, with_times);
    return for_all_shapes(size, kind, [&](const SmallShape& shape) {
      return std::ranges::all_of(placements, [&](const SmallPlacement& placement) {
        if (has_serial_order(shape, placement.before, kind.are_lists)) {
          return true;
        }
        const Result<bool> goes_on = use(placed(shape, kind.are_lists, placement), size);
        if (!goes_on.ok()) {
          status_ = goes_on.error();
        }
        return goes_on.ok() && goes_on.value();
      });
    });
  }

  ShapeSize most_;
  const SizeObserver& observer_;
  Status status_ = {};
};

Result<Separator> judged_with(const TinyHistory& history, ShapeSize size,
                              const CheckOptions& options) {
  ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(build(history), options));
  return Separator{.history = history,
                   .size = size,
                   .valid = models_that_are(Validity::kValid, verdict.ladder),
                   .invalid = models_that_are(Validity::kInvalid, verdict.ladder)};
}

/// The pairs with a known smallest history, and its size.
class Pairs {
 public:
  /// Whether the history is a smallest one of some pair. Histories must come in order of size.
  bool add(const Separator& separator) {
    bool is_needed = false;
    for (const Model allowing : separator.valid) {
      for (const Model forbidding : separator.invalid) {
        const auto [pair, is_new] = sizes_.try_emplace({allowing, forbidding}, separator.size);
        is_needed |= pair->second == separator.size;
      }
    }
    return is_needed;
  }

  /// The levels of the pairs that no history has separated yet, but some history may.
  [[nodiscard]] Wanted open() const {
    Wanted wanted;
    for (const Model allowing : ModelSet::all()) {
      for (const Model forbidding : ~entailed(allowing)) {
        if (!sizes_.contains({allowing, forbidding})) {
          wanted.allowing.set(allowing);
          wanted.forbidding.set(forbidding);
        }
      }
    }
    return wanted;
  }

  /// A small set of the added histories with a smallest one for each pair, chosen greedily: the
  /// history that covers most of the remaining pairs comes next.
  [[nodiscard]] std::vector<Separator> cover(std::vector<Separator> candidates) const {
    std::map<Pair, ShapeSize> left = sizes_;
    std::vector<Separator> chosen;
    while (!left.empty()) {
      const auto serves = [&](const Separator& candidate) {
        return std::ranges::count_if(left, [&](const auto& entry) {
          return entry.second == candidate.size &&
                 candidate.separates(entry.first.first, entry.first.second);
        });
      };
      const Separator best = *std::ranges::max_element(candidates, {}, serves);
      std::erase_if(left, [&](const auto& entry) {
        return entry.second == best.size && best.separates(entry.first.first, entry.first.second);
      });
      chosen.push_back(best);
    }
    std::ranges::stable_sort(chosen, {}, &Separator::size);
    return chosen;
  }

 private:
  using Pair = std::pair<Model, Model>;
  std::map<Pair, ShapeSize> sizes_ = {};
};

}  // namespace

Result<Separator> judged(const TinyHistory& history, ShapeSize size) {
  return judged_with(history, size, {.models = ModelSet::all(), .each_model = true});
}

Result<bool> is_separator(const TinyHistory& history, Model allowing, Model forbidding) {
  const History built = build(history);
  for (const auto& [model, wanted] :
       {std::pair(forbidding, Validity::kInvalid), std::pair(allowing, Validity::kValid)}) {
    ELAPID_ASSIGN_OR_RETURN(const Verdict verdict, check(built, {.models = {model}}));
    if (verdict.validity != wanted) {
      return false;
    }
  }
  return true;
}

Result<SeparationSearch> separate(Model allowing, Model forbidding, ShapeSize most,
                                  const SizeObserver& observer) {
  SeparationSearch search;
  if (entailed(allowing).test(forbidding)) {
    return search;
  }
  const auto use = [&](const TinyHistory& history, ShapeSize size) -> Result<bool> {
    ++search.tried;
    const Result<bool> separates = is_separator(history, allowing, forbidding);
    if (!separates.ok() || !separates.value()) {
      return separates.ok() ? Result<bool>(true) : separates;
    }
    ELAPID_ASSIGN_OR_RETURN(search.found, judged(history, size));
    return false;
  };
  const Wanted wanted{.allowing = {allowing}, .forbidding = {forbidding}};
  const Status status = SmallHistories(most, observer).for_all(wanted, use);
  ELAPID_RETURN_IF_ERROR(status);
  return search;
}

Result<std::vector<Separator>> separate_all(ShapeSize most, const SizeObserver& observer) {
  Pairs pairs;
  Wanted wanted = pairs.open();
  std::vector<Separator> candidates;
  const SizeObserver next_size = [&](ShapeSize size) {
    wanted = pairs.open();
    return !observer || observer(size);
  };
  const auto use = [&](const TinyHistory& history, ShapeSize size) -> Result<bool> {
    ELAPID_ASSIGN_OR_RETURN(Separator separator, judged_with(history, size, wanted.options()));
    const auto is_same = [&](const Separator& other) {
      return other.size == size && other.valid == separator.valid &&
             other.invalid == separator.invalid;
    };
    if (pairs.add(separator) && std::ranges::none_of(candidates, is_same)) {
      candidates.push_back(std::move(separator));
    }
    return true;
  };
  Status status = SmallHistories(most, next_size).for_all(wanted, use);
  for (Separator& candidate : candidates) {
    Result<Separator> whole = judged(candidate.history, candidate.size);
    status = status.ok() && !whole.ok() ? Status(whole.error()) : status;
    candidate = whole.ok() ? std::move(whole).value() : candidate;
  }
  ELAPID_RETURN_IF_ERROR(status);
  return pairs.cover(std::move(candidates));
}

namespace {

/// The content of a key: a register's value, or a list's elements.
struct Contents {
  std::uint8_t length = 0;
  std::array<std::uint8_t, kSmallOps> values = {};
};

using State = std::array<Contents, kSmallOps>;

/// Applies the writes. Returns whether each read saw the current content.
bool run(const SmallTxn& txn, bool are_lists, State& state) {
  for (const SmallOp& op : txn.ops) {
    Contents& held = state[op.key];
    if (!op.is_write) {
      if (held.length != op.length || held.values != op.values) {
        return false;
      }
    } else if (are_lists) {
      held.values[held.length++] = op.values[0];
    } else {
      held = {.length = 1, .values = {op.values[0]}};
    }
  }
  return true;
}

bool completes(const SmallShape& shape, const Before& before, bool are_lists, std::uint8_t done,
               const State& state) {
  bool is_complete = true;
  for (std::size_t t = 0; t < shape.size(); ++t) {
    const auto bit = static_cast<std::uint8_t>(1U << t);
    if ((done & bit) != 0) {
      continue;
    }
    is_complete = false;
    if ((before[t] & ~done) != 0) {
      continue;
    }
    State then = state;
    if (shape[t].is_aborted || run(shape[t], are_lists, then)) {
      if (completes(shape, before, are_lists, static_cast<std::uint8_t>(done | bit), then)) {
        return true;
      }
    }
  }
  return is_complete;
}

}  // namespace

bool has_serial_order(const SmallShape& shape, const Before& before, bool are_lists) {
  return completes(shape, before, are_lists, 0, State());
}

}  // namespace elapid
