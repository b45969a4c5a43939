#include "harness/minimize/minimize.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "harness/minimize/call_deletion.h"
#include "harness/minimize/deletion.h"
#include "harness/minimize/draft.h"
#include "harness/minimize/neighbourhood.h"
#include "harness/minimize/rewriting.h"
#include "harness/minimize/simpler_predicates.h"
#include "harness/minimize/tries.h"

namespace elapid {

namespace {

using Rewriting = Rewritings (*)(const Draft& draft);

/// Holds the smallest draft so far, and makes it smaller. An error ends the work.
class Minimization {
 public:
  Minimization(const History& history, const Keeps& keeps, const MinimizeOptions& options)
      : history_(history), keeps_(keeps), options_(options), tries_(keeps, options) {
    if (has_calls()) {
      units_ = kUnitsOfCalls;
      ways_ = kKeep;
      surest_ = kKeep;
      if (shows_additions(history)) {
        ways_ = kOfAdditions;
        surest_ = std::span(kOfAdditions).first(1);
      }
    }
  }

  Result<Minimized> run() {
    if (!options_.is_known_to_hold) {
      ELAPID_ASSIGN_OR_RETURN(const bool held, keeps_(history_));
      if (!held) {
        return usage_error("the history does not have the property that is to be kept");
      }
    }
    take_excerpt();
    follow_evidence();
    delete_many();
    do {
      changed_ = false;
      delete_singly();
      rewrite();
      rename();
    } while (changed_ && !has_ended());
    return result();
  }

 private:
  /// Whether the history consists of single operations.
  [[nodiscard]] bool has_calls() const { return !history_.workload().has_transactions(); }

  [[nodiscard]] bool has_ended() { return error_.has_value() || tries_.is_stopped(); }

  /// The number of the accepted candidate, if there is one.
  std::optional<std::size_t> try_all(std::size_t count, const Tries::MakeDraft& make) {
    if (has_ended() || count == 0) {
      return std::nullopt;
    }
    Result<std::optional<KeptDraft>> found = tries_.first(count, make);
    if (!found) {
      error_ = std::move(found.error());
      return std::nullopt;
    }
    if (!found.value()) {
      return std::nullopt;
    }
    current_ = std::move(found.value()->draft);
    changed_ = true;
    if (options_.progress) {
      options_.progress(
          {.txns = current_.txns.size(), .ops = current_.op_count(), .tries = tries_.tried()});
    }
    return found.value()->number;
  }

  /// Starts with the transactions that the evidence names, or with their neighbourhood; else with
  /// all.
  void take_excerpt() {
    const std::vector<std::vector<TxnId>> parts = neighbourhoods(history_, options_.named);
    if (!parts.empty()) {
      const WrittenVersions written(history_);
      const auto found =
          try_all(parts.size() * ways_.size() * kWithInitial, [&](std::size_t number) {
            const std::vector<TxnId>& part = parts[number / (ways_.size() * kWithInitial)];
            const Orphans orphans = ways_[number % ways_.size()];
            const bool with_initial = number / ways_.size() % kWithInitial != 0;
            return excerpt(history_, written, with_initial ? and_initial(part) : part, orphans);
          });
      if (found) {
        current_ = compact(std::move(current_));
        return;
      }
    }
    current_ = draft_of(history_);
  }

  /// Repeats this for the rest while it is large: a smaller history can have a smaller proof.
  void follow_evidence() {
    constexpr std::size_t kLarge = 20;
    if (!options_.name_evidence || has_ended() || current_.txns.size() <= kLarge) {
      return;
    }
    const Result<BuiltDraft> built = build(current_);
    if (!built) {
      return;
    }
    const History& history = built.value().history;
    const auto parts = neighbourhoods(history, options_.name_evidence(history));
    const Draft base = current_;
    const Deleter deleter(base);
    const bool has_found = try_all(parts.size() * ways_.size(), [&](std::size_t number) {
                             const std::vector<bool> chosen = numbers_in(
                                 base, built.value().origins, parts[number / ways_.size()]);
                             return deleter.only(chosen, ways_[number % ways_.size()]);
                           }).has_value();
    if (has_found) {
      current_ = compact(std::move(current_));
    }
  }

  /// Marks the transactions of a draft that are these transactions of the built history.
  static std::vector<bool> numbers_in(const Draft& draft, const std::vector<TxnId>& origins,
                                      const std::vector<TxnId>& txns) {
    std::unordered_set<TxnId> chosen;
    for (const TxnId txn : txns) {
      chosen.insert(origins[txn.index()]);
    }
    std::vector<bool> numbers;
    for (const auto& txn : draft.txns) {
      numbers.push_back(chosen.contains(txn->origin));
    }
    return numbers;
  }

  /// Adds the recorded initial transaction, if there is one.
  [[nodiscard]] std::vector<TxnId> and_initial(std::vector<TxnId> part) const {
    const TxnId initial = history_.info().initial_txn;
    const auto at = std::ranges::lower_bound(part, initial);
    if (!initial.is_none() && (at == part.end() || *at != initial)) {
      part.insert(at, initial);
    }
    return part;
  }

  /// Deletes halves of each unit, then quarters and so on. Large pieces of all units are tried
  /// before small pieces of one unit.
  void delete_many() {
    bool is_divided = true;
    for (std::size_t parts = 2; is_divided && !has_ended(); parts *= 2) {
      is_divided = false;
      for (const Unit unit : units_) {
        const std::size_t size = Deleter(current_).count(unit) / parts;
        if (size > 1) {
          is_divided = true;
          const std::size_t before = current_.txns.size();
          delete_runs(unit, size, surest_);
          if (current_.txns.size() < before - before / 10) {
            follow_evidence();
          }
        }
      }
    }
    current_ = compact(std::move(current_));
  }

  void delete_singly() {
    for (const Unit unit : units_) {
      delete_runs(unit, 1, ways_);
    }
  }

  /// Deletes runs of `size`, from the last to the first, in the first way that is possible.
  void delete_runs(Unit unit, std::size_t size, std::span<const Orphans> ways) {
    std::size_t end = Deleter(current_).count(unit);
    while (end > 0 && !has_ended()) {
      const Draft base = current_;
      const Deleter deleter(base);
      end = std::min(end, deleter.count(unit));
      const std::size_t runs = (end + size - 1) / size;
      const auto begin_of = [&](std::size_t number) {
        const std::size_t skipped = number / ways.size() * size;
        return end - std::min(end, skipped + size);
      };
      const auto found = try_all(runs * ways.size(), [&](std::size_t number) {
        const std::size_t skipped = number / ways.size() * size;
        return deleter.without(unit, begin_of(number), end - skipped, ways[number % ways.size()]);
      });
      if (!found) {
        break;
      }
      end = begin_of(*found);
    }
  }

  void rewrite() {
    if (has_calls()) {
      return;
    }
    repeat(with_outcomes);
    repeat(with_simpler_predicates);
    if (options_.simplify) {
      repeat(with_less_session_order);
      repeat(with_less_real_time);
      repeat(without_times);
    } else if (options_.merge_sessions) {
      repeat(with_merged_sessions);
    }
  }

  /// Repeats a rewriting until none of its drafts is kept.
  void repeat(Rewriting rewriting) {
    for (bool is_new = true; is_new && !has_ended();) {
      const Draft base = current_;
      const Rewritings drafts = rewriting(base);
      is_new =
          try_all(drafts.size(), [&](std::size_t number) { return drafts[number](); }).has_value();
    }
  }

  void rename() {
    if (options_.keep_names) {
      return;
    }
    // Predicates refer to keys and values of rows.
    const bool has_rows = current_.info.rows != nullptr;
    for (const auto renamed :
         {with_small_keys, with_small_values, with_small_sessions, with_small_numbers}) {
      if ((has_rows || has_calls()) &&
          (renamed == with_small_keys || renamed == with_small_values)) {
        continue;
      }
      Draft draft = renamed(current_);
      if (draft.fingerprint() != current_.fingerprint()) {
        try_all(1, [&](std::size_t) { return draft; });
      }
    }
  }

  Result<Minimized> result() {
    if (error_) {
      return std::move(*error_);
    }
    Result<BuiltDraft> built = build(current_);
    if (!built) {
      return Error{.kind = ErrorKind::kInternal,
                   .message = "the minimized history cannot be built: " + built.error().message};
    }
    Minimized minimized = {.history = std::move(built.value().history),
                           .origins = std::move(built.value().origins),
                           .is_one_minimal = !tries_.is_stopped(),
                           .why_not = tries_.stopped_because(),
                           .tries = tries_.tried()};
    if (minimized.is_one_minimal) {
      ELAPID_ASSIGN_OR_RETURN(const bool held, keeps_(minimized.history));
      if (!held) {
        return Error{.kind = ErrorKind::kInternal,
                     .message =
                         "the property to keep does not always have the same answer: the "
                         "minimized history had it, and now has it no more"};
      }
    }
    return minimized;
  }

  static constexpr std::size_t kWithInitial = 2;  // without it, and with it
  static constexpr std::array<Orphans, 1> kSurest = {Orphans::kDropUncertain};
  // Single operations keep the source's text: each stays unchanged or is deleted.
  static constexpr std::array<Unit, 3> kUnitsOfCalls = {Unit::kSession, Unit::kKey, Unit::kTxn};
  static constexpr std::array<Orphans, 1> kKeep = {Orphans::kKeepReads};
  static constexpr std::array<Orphans, 2> kOfAdditions = {Orphans::kDropReads,
                                                          Orphans::kReadInitial};

  const History& history_;
  const Keeps& keeps_;
  const MinimizeOptions& options_;
  Tries tries_;
  std::span<const Unit> units_ = kUnits;
  std::span<const Orphans> ways_ = kOrphans;
  std::span<const Orphans> surest_ = kSurest;
  Draft current_ = {};
  bool changed_ = false;
  std::optional<Error> error_ = {};
};

}  // namespace

Result<Minimized> minimize(const History& history, const Keeps& keeps,
                           const MinimizeOptions& options) {
  return Minimization(history, keeps, options).run();
}

}  // namespace elapid
