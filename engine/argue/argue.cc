#include "engine/argue/argue.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>
#include <utility>

#include "engine/argue/beginning.h"
#include "engine/argue/choices.h"
#include "engine/argue/chosen_order.h"
#include "engine/argue/doubts.h"
#include "engine/argue/fixed_order.h"
#include "engine/argue/origins.h"
#include "engine/argue/proof_log.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/argue/version_clauses.h"
#include "engine/argue/ways_out.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace argue {

namespace {

constexpr const char* kGivenUp = "the search for an order was given up";

/// Failures turned into clauses after each order that was tried.
constexpr std::size_t kFailuresATime = 200;

/// The most failures that a further trial lists, if each of the first failures leaves a choice.
/// After kForcedATime failures without a choice, a new order is tried. Failures with at most
/// kFewCauses causes are looked for first.
constexpr std::size_t kFailuresFurtherOn = 5000;
constexpr std::size_t kForcedATime = 200;
constexpr std::size_t kFewCauses = 10;

/// The cost of one former version, in operations tried.
constexpr std::uint64_t kCostOfVersion = 200;

/// This many writers, edges and clauses looked at cost as much as one operation tried.
constexpr std::uint64_t kLookedInOne = 4;

/// Drops failures that follow from earlier ones: other operations of a transaction that has failed,
/// and what rests on a write of a transaction that has failed.
void drop_consequences(std::vector<Failure>& failures) {
  std::unordered_map<std::uint32_t, std::uint32_t> failed;  // operations, by transaction
  const auto saw_failed = [&](const Failure& failure) {
    return std::ranges::any_of(failure.versions, [&](const FormerVersion& version) {
      return failed.contains(version.writer.value);
    });
  };
  std::erase_if(failures, [&](const Failure& failure) {
    const auto [own, is_first] = failed.try_emplace(failure.txn.value, failure.mop);
    const bool is_overlap = failure.kind == Failure::Kind::kOverlap;
    return (!is_first && (own->second != failure.mop || is_overlap)) ||
           (is_overlap && failed.contains(failure.other.value)) || saw_failed(failure) ||
           std::ranges::any_of(failure.looks, saw_failed) ||
           std::ranges::any_of(failure.causes, [&](const LastWriter& cause) {
             return cause.reader != failure.txn && failed.contains(cause.reader.value);
           });
  });
}

/// The loop: tries an order that the solver's choices allow, and turns its failures into clauses.
class Argument final : public Theory {
 public:
  Argument(const History& history, const RowWrites& writes, const ArgueOptions& options)
      : history_(history),
        writes_(writes),
        origins_(history, writes, options.old_versions),
        fixed_(history, options.level),
        has_two_events_(has_two_events(options.level.visibility)),
        old_versions_(options.old_versions),
        only_torn_rows_(options.only_torn_rows),
        most_work_(options.work),
        sat_(*this),
        log_(sat_),
        order_(fixed_, options.first_guess, sat_, log_),
        choices_(history, writes, fixed_, order_, old_versions_ == OldVersions::kOfOneState, sat_,
                 log_),
        beginning_(history, sat_, log_),
        doubts_(history, writes, fixed_, choices_, beginning_),
        versions_(history, writes, fixed_, origins_,
                  {.is_open = beginning_.is_open(),
                   .is_of_one_state = old_versions_ == OldVersions::kOfOneState},
                  choices_, beginning_, doubts_, log_) {}

  ArgueResult run(const ArgueOptions& options) {
    ArgueResult result;
    bool is_spent = false;
    const auto spent = [&] {
      is_spent = is_spent || is_too_long_ || is_out_of_work() ||
                 (options.keep_going && !options.keep_going());
      return is_spent;
    };
    only_torn_rows_ ? add_torn_rows(spent) : add_origins(spent);
    // What follows from the fixed order alone needs no variable.
    switch (is_spent                                  ? SatSolver::Answer::kOutOfWork
            : sat_.variable_count() == 0 && accepts() ? SatSolver::Answer::kSatisfiable
                                                      : sat_.solve(spent)) {
      case SatSolver::Answer::kSatisfiable:
        if (only_torn_rows_) {
          result.unknown_because = kGivenUp;
          break;
        }
        result.validity = Validity::kValid;
        result.order = events();
        result.beginning = beginning_.parts();
        result.taken = std::move(taken_);
        result.reads = std::move(reads_);
        break;
      case SatSolver::Answer::kUnsatisfiable:
        if (!beginning_.contents().is_whole()) {
          result.unknown_because = "the possible initial contents of rows are too many to list";
          break;
        }
        result.validity = Validity::kInvalid;
        result.proof = log_.proof();
        break;
      case SatSolver::Answer::kOutOfWork:
        result.unknown_because =
            is_too_long_ ? "a result without keys concerns too many rows" : kGivenUp;
        break;
    }
    return result;
  }

  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) override {
    return order_.assign(literal, conflict);
  }

  void retract(Literal /*literal*/) override { order_.retract(); }

  /// Tries the order at hand. What fails becomes clauses.
  bool accepts() override {
    if (only_torn_rows_) {
      return true;
    }
    const std::vector<OrderEvent> order = events();
    beginning_.choose();
    choices_.note_found(found_choices_);
    // Failures with few causes leave fewer choices, and are found sooner.
    TrialResult trial = attempt(order, {.most = kFailuresATime, .most_causes = kFewCauses});
    if (trial.failures.empty() && !trial.is_too_long) {
      note_taken(trial.taken);
      reads_ = std::move(trial.reads);
      return true;
    }
    sat_.restart();
    if (forces_something(trial.failures) ||
        (trial.failures.size() >= kFailuresATime && forces_further_on(order))) {
      return false;
    }
    if (trial.is_too_long) {
      trial = attempt(order, {.most = kFailuresATime});
    }
    is_too_long_ = trial.failures.empty() && !is_out_of_work();
    drop_consequences(trial.failures);
    WaysOutSearch search = ways_out();
    for (const Failure& failure : trial.failures) {
      if (is_out_of_work()) {
        break;
      }
      add_clause(failure, failure.kind == Failure::Kind::kFound ? search.find(failure) : WaysOut());
    }
    return false;
  }

 private:
  /// The work so far, in operations tried. Conflicts, literals, and what was looked at count, too.
  [[nodiscard]] std::uint64_t work() const {
    return tried_ + log_.literal_count() + 100 * sat_.conflict_count() +
           (writes_.looked() + order_.looked() + sat_.looked()) / kLookedInOne;
  }

  [[nodiscard]] bool is_out_of_work() const { return work() > most_work_; }

  /// The value of RowWrites::looked() at which the work is spent.
  [[nodiscard]] std::uint64_t most_looked() const {
    return writes_.looked() + kLookedInOne * (most_work_ - std::min(most_work_, work()));
  }

  [[nodiscard]] WaysOutSearch ways_out() {
    return {history_, writes_, origins_, fixed_, order_.known(), most_looked()};
  }

  [[nodiscard]] TrialResult attempt(std::span<const OrderEvent> order, TrialOptions options) {
    tried_ += history_.op_count() + 1;
    options.has_two_events = has_two_events_;
    options.old_versions = old_versions_;
    options.choices = &found_choices_;
    options.most_looked = most_looked();
    options.beginning = beginning_.chosen();
    options.contents = beginning_.is_open() ? &beginning_.contents() : nullptr;
    TrialResult result = try_order(history_, writes_, order, options);
    tried_ += kCostOfVersion * result.looked;
    return result;
  }

  /// Keeps the rows that operations with predicates wrote.
  void note_taken(const std::set<TakenRow>& taken) {
    std::ranges::copy_if(taken, std::back_inserter(taken_), [&](const TakenRow& one) {
      return writes_.op(one.txn, one.mop).has_predicate() || are_of_reads(old_versions_);
    });
  }

  /// Takes the choices that failures leave no alternative to. False if there was none.
  bool forces_something(std::vector<Failure> failures) {
    drop_consequences(failures);
    WaysOutSearch search = ways_out();
    std::size_t forced = 0;
    for (const Failure& failure : failures) {
      if (log_.is_refuted() || forced == kForcedATime || is_out_of_work()) {
        break;
      }
      const bool may_force = failure.kind == Failure::Kind::kFound;
      forced += may_force && force(failure, search.find(failure)) ? 1U : 0U;
    }
    return forced > 0;
  }

  /// The same for failures later in the order, which may leave fewer choices. After each vain
  /// attempt it waits for twice as many rounds.
  bool forces_further_on(std::span<const OrderEvent> order) {
    if (++rounds_without_ < rounds_until_further_) {
      return false;
    }
    rounds_without_ = 0;
    const bool does = forces_something(
        attempt(order, {.most = kFailuresFurtherOn, .most_causes = kFewCauses}).failures);
    rounds_until_further_ = does ? 1 : 2 * rounds_until_further_;
    return does;
  }

  [[nodiscard]] std::vector<OrderEvent> events() const {
    std::vector<OrderEvent> events;
    for (const std::uint32_t vertex : order_.vertices()) {
      if (fixed_.is_event(vertex) && choices_.takes_effect(fixed_.event(vertex).txn)) {
        events.push_back(fixed_.event(vertex));
      }
    }
    return events;
  }

  template <class Spent>
  void add_torn_rows(const Spent& spent) {
    constexpr int kMostTorn = 4;
    for (auto [txn, torn] = std::pair(TxnId{0}, 0); !beginning_.is_open() && torn < kMostTorn &&
                                                    txn.index() < history_.txn_count() && !spent();
         ++txn.value) {
      torn += versions_.add_torn_row(txn) ? 1 : 0;
    }
  }

  /// If only one transaction can have left what an operation was shown, that transaction came
  /// before. Asks `spent` at each transaction, and ends if it is true.
  template <class Spent>
  void add_origins(const Spent& spent) {
    if (beginning_.is_open()) {
      return;  // it may have been there from the beginning
    }
    for (TxnId txn{0};
         old_versions_ != OldVersions::kOfNone && txn.index() < history_.txn_count() && !spent();
         ++txn.value) {
      versions_.add_origins(txn, are_of_reads(old_versions_));
    }
    const TxnId initial = certain_initial(history_);
    const Sight* last = nullptr;
    TxnId writer = TxnId::none();
    for (const Sight& sight : origins_.sights()) {
      if (last != nullptr && last->txn != sight.txn && spent()) {
        return;
      }
      const bool is_same = last != nullptr && last->row == sight.row && last->part == sight.part &&
                           last->value == sight.value;
      writer = is_same ? writer : origins_.only_writer(sight.row, sight.part, sight.value);
      last = &sight;
      if (writer.is_none() || writer == sight.txn || writer == initial) {
        continue;
      }
      const Failure failure = {.txn = sight.txn,
                               .mop = sight.mop,
                               .causes = {{sight.row, sight.part, TxnId::none(), sight.txn}}};
      force(failure, {.ways = {{TxnId::none(), writer, sight.txn}}});
    }
  }

  /// Takes the only way out if it is new: adds one or two clauses of one choice each. Otherwise
  /// does nothing and returns false.
  bool force(const Failure& failure, const WaysOut& out) {
    if (beginning_.is_open() || out.ways.size() > 1 || !is_certain(failure.txn) ||
        failure.as != kAsRecorded || !failure.decisions.empty() ||
        !std::ranges::all_of(failure.causes,
                             [&](const LastWriter& cause) { return is_certain(cause.writer); })) {
      return false;
    }
    std::vector<Literal> forced;
    for (const WayOut& way : out.ways) {
      if (way.middle.is_none()) {
        forced.push_back(choices_.before(fixed_.start(way.reader), fixed_.commit(way.writer)));
      } else {
        forced = choices_.atoms_of_between(way.writer, way.middle, way.reader);
      }
    }
    bool is_new = out.ways.empty();
    if (is_new) {
      log_.add({}, found_step(failure, out), order_.known().lines_of(out.precedences));
    }
    for (const Literal literal : forced) {
      if (!sat_.is_true(literal)) {
        is_new = true;
        log_.add({literal}, found_step(failure, out), order_.known().lines_of(out.precedences));
      }
    }
    return is_new;
  }

  /// Whether the transaction certainly took effect; true for none().
  [[nodiscard]] bool is_certain(TxnId txn) const {
    return txn.is_none() || history_.committed(txn);
  }

  [[nodiscard]] RowsProofStep found_step(const Failure& failure, const WaysOut& out) const {
    return {.reason = RowsProofStep::Reason::kFound,
            .txn = failure.txn,
            .mop = failure.mop,
            .causes = failure.causes,
            .by_predicate = writes_.op(failure.txn, failure.mop).has_predicate(),
            .later = out.later};
  }

  void add_clause(const Failure& failure, const WaysOut& out) {
    for (const Failure& look : failure.looks) {
      add_clause(look, out);
    }
    for (const Fracture& fracture : failure.fractures) {
      versions_.add_fracture(failure, fracture);
    }
    if (failure.kind == Failure::Kind::kState) {
      return;
    }
    std::vector<Literal> clause;
    doubts_.add_fate(failure.txn, clause);
    if (failure.kind == Failure::Kind::kCount) {
      versions_.add_count(failure, std::move(clause));
      return;
    }
    if (failure.as != kAsRecorded) {
      clause.push_back(~choices_.found(failure.txn, failure.mop, failure.row, failure.as));
    }
    doubts_.add_decisions(failure.decisions, clause);
    if (failure.kind == Failure::Kind::kVersions) {
      versions_.add_versions(failure, std::move(clause));
      return;
    }
    if (failure.kind == Failure::Kind::kOverlap) {
      doubts_.add_fate(failure.other, clause);
      for (const auto& [a, b] :
           {std::pair(failure.txn, failure.other), std::pair(failure.other, failure.txn)}) {
        if (!fixed_.precedes(b, a)) {
          clause.push_back(choices_.before(fixed_.commit(a), fixed_.start(b)));
        }
      }
    }
    for (const LastWriter& cause : failure.causes) {
      doubts_.add_fate(cause.writer, clause);
      if (failure.kind == Failure::Kind::kOverlap) {
        doubts_.add_ways_out(cause, failure.alike, clause, [&](TxnId other) {
          const Miss miss = {other, cause.row, cause.part};
          return !std::ranges::binary_search(failure.misses, miss);
        });
      } else if (cause.writer.is_none()) {
        beginning_.doubt(failure.alike, cause.row, cause.part, clause);
      }
    }
    for (const WayOut& way : out.ways) {
      if (way.middle.is_none()) {
        clause.push_back(choices_.before(fixed_.start(way.reader), fixed_.commit(way.writer)));
      } else if (const auto literal = choices_.between(way.writer, way.middle, way.reader)) {
        clause.push_back(*literal);
      }
    }
    if (failure.kind == Failure::Kind::kFound) {
      log_.add(std::move(clause), found_step(failure, out),
               order_.known().lines_of(out.precedences));
      return;
    }
    log_.add(std::move(clause), {.reason = RowsProofStep::Reason::kOverlap,
                                 .txn = failure.txn,
                                 .mop = failure.mop,
                                 .causes = failure.causes,
                                 .other = failure.other,
                                 .row = failure.row});
  }

  const History& history_;
  const RowWrites& writes_;
  Origins origins_;
  FixedOrder fixed_;
  bool has_two_events_;
  OldVersions old_versions_;
  bool only_torn_rows_;
  std::uint64_t most_work_;
  SatSolver sat_;
  ProofLog log_;
  ChosenOrder order_;
  Choices choices_;
  Beginning beginning_;
  Doubts doubts_;
  VersionClauses versions_;
  FoundChoices found_choices_;  // as they are being tried
  std::vector<TakenRow> taken_;
  std::vector<ReadFrom> reads_;
  std::uint64_t tried_ = 0;           // operations
  std::uint64_t rounds_without_ = 0;  // forces_further_on()
  std::uint64_t rounds_until_further_ = 1;
  bool is_too_long_ = false;  // nothing failed that a clause could tell
};

}  // namespace

}  // namespace argue

ArgueResult argue_rows(const History& history, const ArgueOptions& options) {
  const bool has_snapshots = options.level.visibility != Visibility::kSerial;
  const bool may_be_old = options.old_versions != OldVersions::kOfNone;
  if (options.keep_going && !options.keep_going()) {
    return {.unknown_because = argue::kGivenUp};
  }
  const argue::RowWrites writes(
      history, {.deletes_may_miss = has_snapshots || may_be_old,
                .knows_by_predicate = !may_be_old,
                .knows_by_read = !are_of_reads(options.old_versions),
                .deletes_newest_by_key = options.old_versions != OldVersions::kOfReads});
  if (!writes.is_supported() || (may_be_old && !writes.has_choices())) {
    return {.unknown_because = "the results of some operations cannot be stated row by row"};
  }
  return argue::Argument(history, writes, options).run(options);
}

}  // namespace elapid
