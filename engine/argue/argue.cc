#include "engine/argue/argue.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "engine/argue/first_contents.h"
#include "engine/argue/fixed_order.h"
#include "engine/argue/known_order.h"
#include "engine/argue/origins.h"
#include "engine/argue/row_parts.h"
#include "engine/argue/trial.h"
#include "engine/argue/ways_out.h"
#include "engine/graph/incremental_order.h"
#include "engine/solve/sat_solver.h"

namespace elapid {

namespace argue {

using replay::RowState;

namespace {

constexpr const char* kGivenUp = "the search for an order was given up";

/// Failures turned into clauses after each order that was tried.
constexpr std::size_t kFailuresATime = 200;

/// Failures looked at for one that leaves no choice, where the first ones leave some; and failures
/// without choice after which a new order is tried.
constexpr std::size_t kFailuresFurtherOn = 5000;
constexpr std::size_t kForcedATime = 200;
constexpr std::size_t kFewCauses = 10;

/// Operations tried for which a former version that is looked at counts, as time goes.
constexpr std::uint64_t kCostOfVersion = 200;

/// What fails only because of what failed before: another operation of a transaction after the
/// first, and what is explained by what a transaction did that had failed. The first failure stays.
void drop_consequences(std::vector<Failure>& failures) {
  std::unordered_map<std::uint32_t, std::uint32_t> failed;  // operations, by transaction
  std::erase_if(failures, [&](const Failure& failure) {
    const auto [own, is_first] = failed.try_emplace(failure.txn.value, failure.mop);
    const bool is_overlap = failure.kind == Failure::Kind::kOverlap;
    return (!is_first && (own->second != failure.mop || is_overlap)) ||
           (is_overlap && failed.contains(failure.other.value)) ||
           std::ranges::any_of(failure.versions,
                               [&](const FormerVersion& version) {
                                 return failed.contains(version.writer.value);
                               }) ||
           std::ranges::any_of(failure.causes, [&](const LastWriter& cause) {
             return cause.reader != failure.txn && failed.contains(cause.reader.value);
           });
  });
}

class Argument final : public Theory {
 public:
  Argument(const History& history, const RowWrites& writes, OrderLevel level,
           OldVersions old_versions)
      : history_(history),
        writes_(writes),
        origins_(history, writes, old_versions),
        fixed_(history, level),
        has_two_events_(has_two_events(level.visibility)),
        old_versions_(old_versions),
        contents_(history),
        sat_(*this),
        first_order_(fixed_.order()),
        order_(fixed_.vertex_count(), fixed_.edges(), first_order_),
        known_(fixed_, order_, [this](std::uint32_t edge) {
          return sat_.unit_line(brought_[edge - fixed_.edges().size()].variable());
        }) {}

  ArgueResult run(const ArgueOptions& options) {
    ArgueResult result;
    bool is_spent = false;
    const auto spent = [&] {
      is_spent = is_spent || is_too_long_ || tried_ + 100 * sat_.conflict_count() > options.work ||
                 (options.keep_going && !options.keep_going());
      return is_spent;
    };
    add_origins(spent);
    // What follows from the fixed order alone needs no variable.
    switch (is_spent                                  ? SatSolver::Answer::kOutOfWork
            : sat_.variable_count() == 0 && accepts() ? SatSolver::Answer::kSatisfiable
                                                      : sat_.solve(spent)) {
      case SatSolver::Answer::kSatisfiable:
        result.validity = Validity::kValid;
        result.order = events();
        result.beginning = beginning();
        result.taken = std::move(taken_);
        break;
      case SatSolver::Answer::kUnsatisfiable:
        if (!contents_.is_whole()) {
          result.unknown_because = "what rows may have held at the beginning is too much to list";
          break;
        }
        result.validity = Validity::kInvalid;
        write_proof(result.proof);
        break;
      case SatSolver::Answer::kOutOfWork:
        result.unknown_because =
            is_too_long_ ? "what some result without keys tells concerns too many rows" : kGivenUp;
        break;
    }
    return result;
  }

  std::uint32_t assign(Literal literal, std::vector<Literal>& conflict) override {
    brought_before_.push_back(brought_.size());
    const auto edge = edge_of(literal);
    if (!edge) {
      return kNoConflict;
    }
    if (order_.insert(edge->first, edge->second)) {
      brought_.push_back(literal);
      return kNoConflict;
    }
    return explain(*edge, literal, conflict);
  }

  void retract(Literal /*literal*/) override {
    while (brought_.size() > brought_before_.back()) {
      order_.remove_last();
      brought_.pop_back();
    }
    brought_before_.pop_back();
  }

  /// Tries the order at hand. What fails becomes clauses.
  bool accepts() override {
    const std::vector<OrderEvent> order = events();
    choose_beginning();
    note_choices();
    // What has few causes leaves fewer choices, and is found sooner.
    TrialResult trial = attempt(order, {.most = kFailuresATime, .most_causes = kFewCauses});
    if (trial.failures.empty() && !trial.is_too_long) {
      note_taken(trial.taken);
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
    is_too_long_ = trial.failures.empty();
    drop_consequences(trial.failures);
    WaysOutSearch search(history_, writes_, origins_, fixed_, known_);
    for (const Failure& failure : trial.failures) {
      add_clause(failure, failure.kind == Failure::Kind::kFound ? search.find(failure) : WaysOut());
    }
    return false;
  }

 private:
  [[nodiscard]] TrialResult attempt(std::span<const OrderEvent> order, TrialOptions options) {
    tried_ += history_.op_count() + 1;
    options.has_two_events = has_two_events_;
    options.old_versions = old_versions_;
    options.choices = &found_choices_;
    options.beginning = beginning_;
    options.contents = contents_.is_open() ? &contents_ : nullptr;
    TrialResult result = try_order(history_, writes_, order, options);
    tried_ += kCostOfVersion * result.looked;
    return result;
  }

  /// What is chosen, at repeatable read, that operations found.
  void note_choices() {
    for (const auto& [about, variable] : found_) {
      const auto& [txn, mop, row, as] = about;
      found_choices_.set({txn}, mop, {row}, as, sat_.is_true(Literal(variable, true)));
    }
  }

  /// Of writes by predicates.
  void note_taken(const std::set<TakenRow>& taken) {
    std::ranges::copy_if(taken, std::back_inserter(taken_), [&](const TakenRow& one) {
      return writes_.op(one.txn, one.mop).has_predicate();
    });
  }

  /// Whether something that fails leaves no choice, which then is taken.
  bool forces_something(std::vector<Failure> failures) {
    drop_consequences(failures);
    WaysOutSearch search(history_, writes_, origins_, fixed_, known_);
    std::size_t forced = 0;
    for (const Failure& failure : failures) {
      if (is_refuted() || forced == kForcedATime) {
        break;
      }
      const bool may_force = failure.kind == Failure::Kind::kFound;
      forced += may_force && force(failure, search.find(failure)) ? 1U : 0U;
    }
    return forced > 0;
  }

  /// The same of failures later in the order, where choices may be fewer. What did not help is
  /// tried again more and more seldom.
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

  [[nodiscard]] bool takes_effect(TxnId txn) const {
    if (history_.committed(txn)) {
      return true;
    }
    const auto known = took_effect_.find(txn.value);
    return history_.status(txn) == TxnStatus::kIndeterminate && known != took_effect_.end() &&
           sat_.is_true(Literal(known->second, true));
  }

  [[nodiscard]] std::vector<OrderEvent> events() const {
    std::vector<OrderEvent> events;
    for (const std::uint32_t vertex : order_.order()) {
      if (fixed_.is_event(vertex) && takes_effect(fixed_.event(vertex).txn)) {
        events.push_back(fixed_.event(vertex));
      }
    }
    return events;
  }

  /// What operations were shown that one transaction alone can have left: that one came before.
  /// Ends early if `spent`, asked for each transaction, says so.
  template <class Spent>
  void add_origins(const Spent& spent) {
    if (contents_.is_open()) {
      return;  // it may have been there from the beginning
    }
    if (old_versions_ != OldVersions::kOfNone) {
      add_old_origins(spent);
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

  /// The same where operations may concern old versions.
  template <class Spent>
  void add_old_origins(const Spent& spent) {
    for (TxnId txn{0}; txn.index() < history_.txn_count() && !spent(); ++txn.value) {
      const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
      for (std::uint32_t mop = 0; history_.committed(txn) && mop < count; ++mop) {
        const rows::RowOp& op = writes_.op(txn, mop);
        const bool may_be_old = op.has_predicate() ? lists_rows(op)
                                                   : old_versions_ == OldVersions::kOfReads &&
                                                         op.kind == rows::RowOpKind::kRead;
        for (const rows::ShownRow& shown : writes_.rows().shown(op)) {
          if (may_be_old && !may_be_own(txn, mop, shown.row)) {
            add_old_origin(txn, mop, shown);
          }
        }
      }
    }
  }

  void add_old_origin(TxnId txn, std::uint32_t mop, const rows::ShownRow& shown) {
    const TxnId initial = certain_initial(history_);
    const auto note = [&](std::uint32_t part, ValueId value) {
      const TxnId writer = origins_.only_writer(shown.row, part, value);
      if (writer.is_none() || writer == txn || writer == initial) {
        return;
      }
      add_written(txn, mop, shown.row, part, value, writer);
      const Failure failure = {.txn = txn, .mop = mop, .row = shown.row};
      const auto others = std::ranges::count_if(
          writes_.writers(shown.row, kRowVersion),
          [&](TxnId other) { return other != writer && may_be_version_of(failure, other); });
      if (others == 0) {
        add_versions(failure, {});
      }
    };
    if (writes_.op(txn, mop).known == rows::Known::kVersions) {
      note(kRowVersion, shown.version);
    }
    for (const rows::Field& field : writes_.rows().fields(shown)) {
      note(part_of(field.column), field.value);
    }
  }

  /// The writer alone wrote the value: by an operation that was not sure to write the row, if that
  /// is the only one.
  void add_written(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t part, ValueId value,
                   TxnId writer) {
    std::vector<std::pair<std::uint32_t, bool>> all;
    writes_.each_write(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), row,
                       [&](std::uint32_t at, const rows::RowOp& op, bool is_sure) {
                         RowParts made;
                         writes_.apply(op, made);
                         if (made.knows(part) && made.part(part) == value) {
                           all.emplace_back(at, is_sure);
                         }
                       });
    if (all.size() != 1 || all.front().second ||
        found_.contains({writer.value, all.front().first, row.value, kAsFound})) {
      return;
    }
    add({found(writer, all.front().first, row, kAsFound, true)},
        {.reason = RowsProofStep::Reason::kWritten,
         .txn = txn,
         .mop = mop,
         .by_predicate = writes_.op(txn, mop).has_predicate(),
         .row = row});
  }

  /// Where there is only one way out, and it is new: that it is taken, as one or two clauses of one
  /// choice. Else false, and nothing is done.
  bool force(const Failure& failure, const WaysOut& out) {
    if (contents_.is_open() || out.ways.size() > 1 || !is_certain(failure.txn) ||
        failure.as != kAsRecorded || !failure.decisions.empty() ||
        !std::ranges::all_of(failure.causes,
                             [&](const LastWriter& cause) { return is_certain(cause.writer); })) {
      return false;
    }
    std::vector<Literal> forced;
    for (const WayOut& way : out.ways) {
      if (way.middle.is_none()) {
        forced.push_back(before(fixed_.start(way.reader), fixed_.commit(way.writer)));
      } else {
        forced = atoms_of_between(way.writer, way.middle, way.reader);
      }
    }
    bool is_new = out.ways.empty();
    if (is_new) {
      add({}, found_step(failure, out), known_.lines_of(out.precedences));
    }
    for (const Literal literal : forced) {
      if (!sat_.is_true(literal)) {
        is_new = true;
        add({literal}, found_step(failure, out), known_.lines_of(out.precedences));
      }
    }
    return is_new;
  }

  /// Whether the transaction took effect, or there is none.
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

  [[nodiscard]] std::optional<FixedOrder::Edge> edge_of(Literal literal) const {
    const RowsChoice& choice = choices_[literal.variable()];
    if (choice.kind != RowsChoice::Kind::kBefore) {
      return std::nullopt;
    }
    const FixedOrder::Edge edge = {fixed_.vertex(choice.first), fixed_.vertex(choice.second)};
    return literal.holds() ? edge : FixedOrder::Edge{edge.second, edge.first};
  }

  /// The cycle that the edge would close, as a clause.
  std::uint32_t explain(FixedOrder::Edge edge, Literal literal, std::vector<Literal>& conflict) {
    const auto first_brought = static_cast<std::uint32_t>(fixed_.edges().size());
    const bool is_certain = sat_.is_permanent(literal.variable());
    const std::vector<std::uint32_t> path =
        order_.cheapest_path(edge.second, edge.first, [&](std::uint32_t e) {
          return e >= first_brought &&
                 (is_certain || !sat_.is_permanent(brought_[e - first_brought].variable()));
        });
    conflict = {~literal};
    std::vector<OrderEvent> cycle = {fixed_.event(edge.first)};
    for (const std::uint32_t e : path) {
      if (e >= first_brought) {
        conflict.push_back(~brought_[e - first_brought]);
      }
      if (const std::uint32_t from = order_.edge(e).first; fixed_.is_event(from)) {
        cycle.push_back(fixed_.event(from));
      }
    }
    std::ranges::sort(conflict, {}, &Literal::code);
    const auto repeated = std::ranges::unique(conflict);
    conflict.erase(repeated.begin(), repeated.end());
    return add_line(conflict, {.reason = RowsProofStep::Reason::kCycle, .cycle = std::move(cycle)});
  }

  std::uint32_t add_line(const std::vector<Literal>& clause, RowsProofStep step,
                         std::vector<std::uint32_t> from = {}) {
    const std::uint32_t line = sat_.add_line(clause, std::move(from));
    reasons_.emplace(line, std::move(step));
    return line;
  }

  /// `from`: lines of the proof that the step rests on.
  void add(std::vector<Literal> clause, RowsProofStep step, std::vector<std::uint32_t> from = {}) {
    if (is_refuted()) {
      return;  // the last line of the proof is the contradiction
    }
    std::ranges::sort(clause, {}, &Literal::code);
    const auto repeated = std::ranges::unique(clause);
    clause.erase(repeated.begin(), repeated.end());
    tried_ += clause.size();
    const std::uint32_t line = add_line(clause, std::move(step), std::move(from));
    sat_.add_clause(std::move(clause), line);
  }

  [[nodiscard]] bool is_refuted() const {
    return !sat_.proof().empty() && sat_.proof().back().clause.empty();
  }

  std::uint32_t new_variable(RowsChoice choice, bool phase) {
    choices_.push_back(choice);
    return sat_.new_variable(phase);
  }

  /// That `a` comes before `b`, where the fixed order leaves it open.
  Literal before(OrderEvent a, OrderEvent b) {
    const bool is_turned = fixed_.vertex(b) < fixed_.vertex(a);
    if (is_turned) {
      std::swap(a, b);
    }
    const std::uint64_t key = std::uint64_t{fixed_.vertex(a)} << 32 | fixed_.vertex(b);
    auto known = before_.find(key);
    if (known == before_.end()) {
      const bool phase = order_.position(fixed_.vertex(a)) < order_.position(fixed_.vertex(b));
      known = before_
                  .emplace(key,
                           new_variable(
                               {.kind = RowsChoice::Kind::kBefore, .first = a, .second = b}, phase))
                  .first;
    }
    return {known->second, !is_turned};
  }

  Literal took_effect(TxnId txn) {
    auto known = took_effect_.find(txn.value);
    if (known == took_effect_.end()) {
      known =
          took_effect_
              .emplace(txn.value,
                       new_variable({.kind = RowsChoice::Kind::kTookEffect, .first = {txn, true}},
                                    false))
              .first;
    }
    return {known->second, true};
  }

  /// What it takes for `middle` to take effect between `first`, if any, and where `reader` reads.
  std::vector<Literal> atoms_of_between(TxnId first, TxnId middle, TxnId reader) {
    std::vector<Literal> atoms;
    if (!history_.committed(middle)) {
      atoms.push_back(took_effect(middle));
    }
    if (!first.is_none() && !fixed_.precedes(first, middle)) {
      atoms.push_back(before(fixed_.commit(first), fixed_.commit(middle)));
    }
    if (!fixed_.precedes(middle, reader)) {
      atoms.push_back(before(fixed_.commit(middle), fixed_.start(reader)));
    }
    return atoms;
  }

  /// That `middle` takes effect between `first`, if any, and where `reader` reads. Nothing: that is
  /// certain.
  std::optional<Literal> between(TxnId first, TxnId middle, TxnId reader) {
    std::vector<Literal> atoms = atoms_of_between(first, middle, reader);
    while (atoms.size() > 1 && sat_.is_true(atoms.back())) {
      atoms.pop_back();
    }
    if (atoms.size() > 1 && sat_.is_true(atoms.front())) {
      atoms.erase(atoms.begin());
    }
    if (atoms.empty()) {
      return std::nullopt;
    }
    if (atoms.size() == 1) {
      return atoms.front();
    }
    const auto key = std::tuple(first.value, middle.value, reader.value);
    const auto known = between_.find(key);
    if (known != between_.end()) {
      return Literal(known->second, true);
    }
    RowsChoice choice = {
        .kind = RowsChoice::Kind::kBetween, .second = fixed_.start(reader), .middle = middle};
    choice.first = first.is_none() ? OrderEvent{TxnId::none(), true} : fixed_.commit(first);
    const std::uint32_t variable = new_variable(choice, false);
    between_.emplace(key, variable);
    for (const Literal atom : atoms) {
      add({Literal(variable, false), atom}, {.reason = RowsProofStep::Reason::kMeaning});
    }
    return Literal(variable, true);
  }

  void add_clause(const Failure& failure, const WaysOut& out) {
    std::vector<Literal> clause;
    const auto doubt = [&](TxnId txn) {
      if (!txn.is_none() && !history_.committed(txn)) {
        clause.push_back(~took_effect(txn));
      }
    };
    doubt(failure.txn);
    if (failure.kind == Failure::Kind::kCount) {
      add_count(failure, std::move(clause));
      return;
    }
    if (failure.as != kAsRecorded) {
      clause.push_back(~found(failure.txn, failure.mop, failure.row, failure.as));
    }
    doubt_decisions(failure.decisions, clause);
    if (failure.kind == Failure::Kind::kVersions) {
      add_versions(failure, std::move(clause));
      return;
    }
    if (failure.kind == Failure::Kind::kOverlap) {
      doubt(failure.other);
      for (const auto& [a, b] :
           {std::pair(failure.txn, failure.other), std::pair(failure.other, failure.txn)}) {
        if (!fixed_.precedes(b, a)) {
          clause.push_back(before(fixed_.commit(a), fixed_.start(b)));
        }
      }
    }
    for (const LastWriter& cause : failure.causes) {
      doubt(cause.writer);
      if (failure.kind == Failure::Kind::kOverlap) {
        add_ways_out(cause, failure.alike, clause, [&](TxnId other) {
          const Miss miss = {other, cause.row, cause.part};
          return std::ranges::find(failure.misses, miss) == failure.misses.end();
        });
      } else if (cause.writer.is_none()) {
        doubt_beginning(failure.alike, cause.row, cause.part, clause);
      }
    }
    for (const WayOut& way : out.ways) {
      if (way.middle.is_none()) {
        clause.push_back(before(fixed_.start(way.reader), fixed_.commit(way.writer)));
      } else if (const auto literal = between(way.writer, way.middle, way.reader)) {
        clause.push_back(*literal);
      }
    }
    if (failure.kind == Failure::Kind::kFound) {
      add(std::move(clause), found_step(failure, out), known_.lines_of(out.precedences));
      return;
    }
    add(std::move(clause), {.reason = RowsProofStep::Reason::kOverlap,
                            .txn = failure.txn,
                            .mop = failure.mop,
                            .causes = failure.causes,
                            .other = failure.other,
                            .row = failure.row});
  }

  /// How the cause may not be the last to write its part before where its reader reads: it comes
  /// later, or another one that matters comes between.
  template <class Matters>
  void add_ways_out(const LastWriter& cause, const std::vector<Alike>& alike,
                    std::vector<Literal>& clause, Matters matters) {
    const TxnId reader = cause.reader;
    if (cause.writer.is_none()) {
      doubt_beginning(alike, cause.row, cause.part, clause);
    }
    if (!cause.writer.is_none() && !fixed_.precedes(cause.writer, reader)) {
      clause.push_back(before(fixed_.start(reader), fixed_.commit(cause.writer)));
    }
    for (const TxnId other : writes_.writers(cause.row, cause.part)) {
      if (other == reader || other == cause.writer || fixed_.precedes(reader, other) ||
          (!cause.writer.is_none() && fixed_.precedes(other, cause.writer)) || !matters(other)) {
        continue;
      }
      if (const auto literal = between(cause.writer, other, reader)) {
        clause.push_back(*literal);
      }
    }
  }

  // Repeatable read and read committed: operations that may concern former versions.

  /// Whether the operation may have concerned the row as the writer left it, as far as what the
  /// writer wrote itself tells.
  [[nodiscard]] bool may_concern(const Failure& failure, TxnId writer) const {
    return writes_.may_find(failure.txn, failure.mop, failure.row,
                            writes_.left_by(writer, failure.row), failure.as);
  }

  /// The operation concerned some version of the row; and none of those that it cannot have
  /// concerned, as they came about.
  void add_versions(const Failure& failure, std::vector<Literal> clause) {
    const auto about = std::tuple(failure.txn.value, failure.mop, failure.row.value, failure.as);
    if (stated_.insert(about).second) {
      // Unless its transaction has written the row itself.
      writes_.each_write(failure.txn, failure.mop, failure.row,
                         [&](std::uint32_t mop, const rows::RowOp& /*op*/, bool /*is_sure*/) {
                           clause.push_back(found(failure.txn, mop, failure.row, kAsFound));
                         });
      if (may_be_first(failure)) {
        clause.push_back(concerned(failure, TxnId::none()));
      }
      for (const TxnId writer : writes_.writers(failure.row, kRowVersion)) {
        if (may_be_version_of(failure, writer)) {
          clause.push_back(concerned(failure, writer));
        }
      }
      add(std::move(clause), {.reason = RowsProofStep::Reason::kVersions,
                              .txn = failure.txn,
                              .mop = failure.mop,
                              .by_predicate = is_by_predicate(failure),
                              .row = failure.row});
    }
    for (const FormerVersion& version : failure.versions) {
      if (version.writer.is_none() ? may_be_first(failure)
                                   : may_be_version_of(failure, version.writer)) {
        add_version(failure, version);
      }
    }
  }

  [[nodiscard]] bool is_by_predicate(const Failure& failure) const {
    return writes_.op(failure.txn, failure.mop).has_predicate();
  }

  /// Whether what the transaction left may be what the operation concerned, which failed with the
  /// first version of the row.
  [[nodiscard]] bool may_be_version_of(const Failure& failure, TxnId writer) const {
    // In an open universe what an initial transaction left may depend on what was before.
    const TxnId initial = contents_.is_open() ? TxnId::none() : certain_initial(history_);
    return writer != initial && may_be_left_by(failure, writer);
  }

  [[nodiscard]] bool may_be_left_by(const Failure& failure, TxnId writer) const {
    return writer != failure.txn && !fixed_.precedes(failure.txn, writer) &&
           may_concern(failure, writer) && may_have_made(failure, writer);
  }

  /// Whether the operation may have concerned the row as the writer made it, if the writer, which
  /// is not sure to, wrote it: where it did not, another one left the row so.
  [[nodiscard]] bool may_have_made(const Failure& failure, TxnId writer) const {
    PartSet common = ~PartSet{0};  // parts that it writes if it writes the row
    bool may_be_sure = false;
    writes_.each_write(writer, static_cast<std::uint32_t>(history_.ops(writer).size()), failure.row,
                       [&](std::uint32_t /*mop*/, const rows::RowOp& op, bool is_sure) {
                         common &= writes_.written(op);
                         may_be_sure = may_be_sure || is_sure;
                       });
    for (std::uint32_t part = 0; !may_be_sure && part < writes_.part_count(); ++part) {
      if ((common >> part & 1U) == 0) {
        continue;
      }
      const std::vector<ValueId> values = writes_.may_leave(writer, failure.row, part);
      const bool may_be = std::ranges::any_of(values, [&](ValueId value) {
        RowParts row;
        row.set_part(part, value);
        return writes_.may_find(failure.txn, failure.mop, failure.row, row, failure.as);
      });
      if (!may_be) {
        return false;
      }
    }
    return true;
  }

  /// Whether the transaction may have written the row itself before the operation.
  [[nodiscard]] bool may_be_own(TxnId txn, std::uint32_t mop, KeyId row) const {
    bool may_be = false;
    writes_.each_write(txn, mop, row, [&](auto, const auto&, bool) { may_be = true; });
    return may_be;
  }

  /// Whether the operation may ever have found the row so.
  [[nodiscard]] bool may_be_found(const Failure& failure) const {
    return may_be_own(failure.txn, failure.mop, failure.row) || may_be_first(failure) ||
           std::ranges::any_of(writes_.writers(failure.row, kRowVersion),
                               [&](TxnId writer) { return may_be_left_by(failure, writer); });
  }

  /// The operation found more rows than can have been so, or less than cannot but have been: some
  /// row was otherwise.
  void add_count(const Failure& failure, std::vector<Literal> clause) {
    const Miscount& count = failure.count;
    const std::vector<FoundKind> kinds =
        kinds_found(writes_.rows(), writes_.op(failure.txn, failure.mop));
    RowsProofStep step = {.reason = count.is_too_few ? RowsProofStep::Reason::kAtLeast
                                                     : RowsProofStep::Reason::kAtMost,
                          .txn = failure.txn,
                          .mop = failure.mop,
                          .by_predicate = true};
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::uint32_t as = kinds[kind].outcome.as;
      const bool is_among = std::ranges::find(count.kinds, kind) != count.kinds.end();
      if (is_among && as < kAsMissed) {
        step.items.push_back(as);
      }
      for (const KeyId row : is_among == count.is_too_few ? count.rows : std::vector<KeyId>()) {
        if (may_be_found({.txn = failure.txn, .mop = failure.mop, .row = row, .as = as})) {
          clause.push_back(found(failure.txn, failure.mop, row, as));
        }
      }
    }
    for (const KeyId row : count.is_too_few ? std::vector<KeyId>() : count.rows) {
      clause.push_back(~found(failure.txn, failure.mop, row, kAsFound, true));
    }
    std::ranges::sort(clause, {}, &Literal::code);
    std::vector<std::uint32_t> codes;
    std::ranges::transform(clause, std::back_inserter(codes), &Literal::code);
    if (counted_.insert(std::move(codes)).second) {
      add(std::move(clause), std::move(step));
    }
  }

  /// That the operation found the row so; whether it seems so.
  Literal found(TxnId txn, std::uint32_t mop, KeyId row, std::uint32_t as, bool phase = false) {
    if (as == kAsMissed) {
      return ~found(txn, mop, row, kAsFound);
    }
    const auto key = std::tuple(txn.value, mop, row.value, as);
    if (const auto known = found_.find(key); known != found_.end()) {
      return {known->second, true};
    }
    const std::uint32_t variable = new_variable(
        {.kind = RowsChoice::Kind::kFound, .first = {txn, true}, .row = row, .mop = mop, .as = as},
        phase);
    found_.emplace(key, variable);
    if (as != kAsFound) {
      const Literal at_all = found(txn, mop, row, kAsFound);
      add({Literal(variable, false), at_all}, {.reason = RowsProofStep::Reason::kMeaning});
    }
    return {variable, true};
  }

  /// That one of them was otherwise.
  void doubt_decisions(const std::vector<Decision>& decisions, std::vector<Literal>& clause) {
    for (const auto& [of, is_taken] : decisions) {
      const Literal literal = found(of.txn, of.mop, of.row, kAsFound, is_taken);
      clause.push_back(is_taken ? ~literal : literal);
    }
  }

  /// Whether the operation may have concerned what an open universe began with.
  [[nodiscard]] bool may_be_first(const Failure& failure) const {
    const TxnId initial = certain_initial(history_);
    const bool is_overwritten =
        !initial.is_none() && initial != failure.txn &&
        std::ranges::binary_search(writes_.writers(failure.row, kRowVersion), initial);
    return contents_.is_open() && !is_overwritten && may_concern(failure, TxnId::none());
  }

  void add_version(const Failure& failure, const FormerVersion& version) {
    std::vector<Literal> clause = {~concerned(failure, version.writer)};
    for (const LastWriter& cause : version.causes) {
      if (!cause.writer.is_none() && !history_.committed(cause.writer)) {
        clause.push_back(~took_effect(cause.writer));
      }
      if (cause.reader.is_none()) {
        doubt_beginning(version.alike, cause.row, cause.part, clause);
        continue;
      }
      add_ways_out(cause, version.alike, clause, [&](TxnId other) {
        if (other == failure.txn && cause.reader == version.writer) {
          return false;  // it comes after the version
        }
        const Miss miss = {other, cause.row, cause.part};
        return std::ranges::find(version.misses, miss) == version.misses.end() &&
               (version.causes.size() > 1 || may_concern(failure, version.writer, cause, other));
      });
    }
    doubt_decisions(version.decisions, clause);
    add(std::move(clause), {.reason = RowsProofStep::Reason::kVersion,
                            .txn = failure.txn,
                            .mop = failure.mop,
                            .causes = version.causes,
                            .by_predicate = is_by_predicate(failure),
                            .other = version.writer,
                            .row = failure.row});
  }

  /// Whether the operation may have concerned the row as the writer left it, had `other` been the
  /// last to write the part of the cause before.
  [[nodiscard]] bool may_concern(const Failure& failure, TxnId writer, const LastWriter& cause,
                                 TxnId other) const {
    const std::vector<ValueId> values = writes_.may_leave(other, failure.row, cause.part);
    return std::ranges::any_of(values, [&](ValueId value) {
      RowParts row;
      row.set_part(cause.part, value);
      writes_.carry_out(writer, static_cast<std::uint32_t>(history_.ops(writer).size()),
                        failure.row, row);
      return writes_.may_find(failure.txn, failure.mop, failure.row, row, failure.as);
    });
  }

  /// That the operation concerned the row as the writer left it. Where the writer wrote all that
  /// matters, it is enough that it came before.
  Literal concerned(const Failure& failure, TxnId writer) {
    const OrderEvent reading = fixed_.start(failure.txn);
    const bool is_first = writer.is_none();
    if (!is_first && history_.committed(writer) && writes_.writes_all(writer, failure.row) &&
        !fixed_.precedes(writer, failure.txn)) {
      return before(fixed_.commit(writer), reading);
    }
    const auto key =
        std::tuple(failure.txn.value, failure.mop, failure.row.value, writer.value, failure.as);
    const auto known = concerned_.find(key);
    if (known != concerned_.end()) {
      return {known->second, true};
    }
    const std::uint32_t variable = new_variable({.kind = RowsChoice::Kind::kConcerned,
                                                 .first = reading,
                                                 .middle = writer,
                                                 .row = failure.row,
                                                 .mop = failure.mop,
                                                 .as = failure.as},
                                                false);
    concerned_.emplace(key, variable);
    const RowsProofStep meaning = {.reason = RowsProofStep::Reason::kMeaning};
    if (!is_first && !history_.committed(writer)) {
      add({Literal(variable, false), took_effect(writer)}, meaning);
    }
    if (!is_first && !fixed_.precedes(writer, failure.txn)) {
      add({Literal(variable, false), before(fixed_.commit(writer), reading)}, meaning);
    }
    return {variable, true};
  }

  // An open universe.

  using Place = std::pair<std::uint32_t, std::uint32_t>;  // a row and a part of it
  /// Of values that a part may have had at the beginning, or of sets of them.
  using ValueVariables = std::vector<std::pair<std::vector<ValueId>, std::uint32_t>>;

  /// What the rows hold at the beginning, by the choices made so far, else by the guess.
  void choose_beginning() {
    beginning_ = contents_.guess();
    for (const auto& [row, variable] : exists_) {
      beginning_[row].is_alive = sat_.is_true(Literal(variable, true));
    }
    for (const auto& [place, variables] : held_) {
      const auto chosen = std::ranges::find_if(
          variables, [&](const auto& one) { return sat_.is_true(Literal(one.second, true)); });
      if (chosen != variables.end()) {
        set_column(beginning_[place.first], rows::ColumnId{place.second - kFirstColumn},
                   chosen->first.front());
      }
    }
    for (RowState& state : beginning_) {
      if (!state.is_alive) {
        state.record = {};
      }
    }
  }

  /// Those that exist, and what they hold.
  [[nodiscard]] std::vector<PartAtFirst> beginning() const {
    replay::RowContents contents;
    for (KeyId row{0}; row.index() < beginning_.size(); ++row.value) {
      if (beginning_[row.index()].is_alive) {
        contents.emplace_back(row, beginning_[row.index()]);
      }
    }
    return replay::parts_at_first(contents);
  }

  /// That the part was not what it is taken to have been at the beginning, nor what would have made
  /// no difference; nothing where that is certain.
  void doubt_beginning(const std::vector<Alike>& alike, KeyId row, std::uint32_t part,
                       std::vector<Literal>& clause) {
    if (!contents_.is_open() || part == kRowVersion) {
      return;
    }
    const RowState& state = beginning_[row.index()];
    if (part == kRowExistence) {
      clause.emplace_back(exists_at_first(row), !state.is_alive);
      return;
    }
    const auto known = std::ranges::find_if(
        alike, [&](const Alike& one) { return one.row == row && one.part == part; });
    clause.emplace_back(
        held_at_first(row, part,
                      known != alike.end()
                          ? known->values
                          : std::vector{state.record.get(rows::ColumnId{part - kFirstColumn})}),
        false);
  }

  std::uint32_t exists_at_first(KeyId row) {
    const auto known = exists_.find(row.value);
    if (known != exists_.end()) {
      return known->second;
    }
    const std::uint32_t variable = new_variable({.kind = RowsChoice::Kind::kAtFirst,
                                                 .row = row,
                                                 .part = kRowExistence,
                                                 .values = {RowParts::existence(true)}},
                                                beginning_[row.index()].is_alive);
    exists_.emplace(row.value, variable);
    return variable;
  }

  /// That the column held one of these.
  std::uint32_t held_at_first(KeyId row, std::uint32_t part, const std::vector<ValueId>& values) {
    const Place place(row.value, part);
    if (!held_.contains(place)) {
      state_all_values(row, part);
    }
    ValueVariables& known = values.size() == 1 ? held_[place] : held_sets_[place];
    const auto found = std::ranges::find(known, values, &ValueVariables::value_type::first);
    if (found != known.end()) {
      return found->second;
    }
    const std::uint32_t variable = new_variable(
        {.kind = RowsChoice::Kind::kAtFirst, .row = row, .part = part, .values = values}, true);
    known.emplace_back(values, variable);
    for (const auto& [one, number] : held_[place]) {
      if (number != variable && std::ranges::find(values, one.front()) != values.end()) {
        add({Literal(number, false), Literal(variable, true)},
            {.reason = RowsProofStep::Reason::kMeaning});
      }
    }
    return variable;
  }

  /// The column held one of all values; and what held something was there.
  void state_all_values(KeyId row, std::uint32_t part) {
    const rows::ColumnId column{part - kFirstColumn};
    const ValueId guess = beginning_[row.index()].record.get(column);
    ValueVariables& all = held_[Place(row.value, part)];
    std::vector<Literal> any;
    for (const ValueId value : contents_.values(column)) {
      const std::uint32_t variable = new_variable(
          {.kind = RowsChoice::Kind::kAtFirst, .row = row, .part = part, .values = {value}},
          value == guess);
      all.emplace_back(std::vector{value}, variable);
      any.emplace_back(variable, true);
    }
    add(any, {.reason = RowsProofStep::Reason::kContents});
    for (const auto& [value, variable] : all) {
      if (!value.front().is_none()) {
        add({Literal(variable, false), Literal(exists_at_first(row), true)},
            {.reason = RowsProofStep::Reason::kMeaning});
      }
    }
  }

  void write_proof(std::vector<RowsProofStep>& proof) const {
    for (const std::uint32_t line : sat_.needed_lines()) {
      const auto reason = reasons_.find(line);
      RowsProofStep step = reason == reasons_.end() ? RowsProofStep{} : reason->second;
      for (const Literal literal : sat_.proof()[line].clause) {
        RowsChoice choice = choices_[literal.variable()];
        choice.holds = literal.holds();
        if (choice.kind == RowsChoice::Kind::kBefore && !choice.holds) {
          std::swap(choice.first, choice.second);
          choice.holds = true;
        }
        step.clause.push_back(choice);
      }
      proof.push_back(std::move(step));
    }
  }

  const History& history_;
  const RowWrites& writes_;
  Origins origins_;
  FixedOrder fixed_;
  bool has_two_events_;
  OldVersions old_versions_;
  FirstContents contents_;
  std::vector<RowState> beginning_;  // of an open universe, as it is being tried, by KeyId
  SatSolver sat_;
  std::vector<std::uint32_t> first_order_;
  IncrementalOrder order_;
  KnownOrder known_;
  std::vector<RowsChoice> choices_;                               // by variable
  std::unordered_map<std::uint64_t, std::uint32_t> before_;       // variables by vertices
  std::unordered_map<std::uint32_t, std::uint32_t> took_effect_;  // by transaction
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> between_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>,
           std::uint32_t>
      concerned_;  // variables by reader, operation, row, writer, and how it was found
  using FoundRow = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<FoundRow, std::uint32_t> found_;       // variables by reader, operation, row, and how
  std::set<FoundRow> stated_;                     // of which all versions are told
  std::set<std::vector<std::uint32_t>> counted_;  // clauses about numbers of rows
  FoundChoices found_choices_;                    // as they are being tried
  std::vector<TakenRow> taken_;
  std::unordered_map<std::uint32_t, std::uint32_t> exists_;  // variables by row
  std::map<Place, ValueVariables> held_;                     // of single values
  std::map<Place, ValueVariables> held_sets_;                // of several
  std::vector<Literal> brought_;
  std::vector<std::size_t> brought_before_;                   // by literal told
  std::unordered_map<std::uint32_t, RowsProofStep> reasons_;  // by proof line
  std::uint64_t tried_ = 0;                                   // operations
  std::uint64_t rounds_without_ = 0;                          // forces_further_on()
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
  const argue::RowWrites writes(history,
                                {.deletes_may_miss = has_snapshots || may_be_old,
                                 .knows_by_predicate = !may_be_old,
                                 .knows_by_read = options.old_versions != OldVersions::kOfReads});
  if (!writes.is_supported() || (may_be_old && !writes.has_choices())) {
    return {.unknown_because = "what some operations found or wrote cannot be told row by row"};
  }
  return argue::Argument(history, writes, options.level, options.old_versions).run(options);
}

}  // namespace elapid
