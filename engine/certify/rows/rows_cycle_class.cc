#include "engine/certify/rows/rows_cycle_class.h"

#include <algorithm>
#include <array>
#include <set>

namespace elapid::certify {

namespace {

/// The most transactions, operations and parts of rows of which it is asked who read whom.
constexpr std::size_t kMostGuesses = 10'000;

bool is_anti(const RowsCycleEdge& edge) {
  return edge.shown_by != nullptr && edge.relation == Relation::kRw;
}

/// Whether a predicate decided which rows the transaction's first `count` operations wrote.
bool writes_by_predicate(const History& history, TxnId txn, std::size_t count) {
  return std::ranges::any_of(history.ops(txn).first(count), [&](Op place) {
    return history.info().rows->op(place).writes_unnamed();
  });
}

/// Whether the finding of a predicate tells: the step's, or that of a write before.
bool is_of_predicate(const History& history, const RowsProofStep& step) {
  return step.by_predicate || writes_by_predicate(history, step.txn, step.mop) ||
         std::ranges::any_of(step.causes, [&](const LastWriter& cause) {
           return cause.reader != step.txn && !cause.reader.is_none() &&
                  writes_by_predicate(history, cause.reader, history.ops(cause.reader).size());
         });
}

bool has_later_predicate(const History& history, const RowsProofStep& step) {
  return std::ranges::any_of(step.later, [&](const LaterFinding& found) {
    return history.info().rows->op(history.ops(found.txn)[found.mop]).has_predicate();
  });
}

/// Whether the choice says that the edge holds.
bool is_of(const RowsChoice& choice, const RowsCycleEdge& edge) {
  switch (choice.kind) {
    case RowsChoice::Kind::kBefore:
      return choice.first == edge.from && choice.second == edge.to;
    case RowsChoice::Kind::kBetween:
      return (choice.first == edge.from && choice.middle == edge.to.txn) ||
             (choice.middle == edge.from.txn && choice.second == edge.to);
    case RowsChoice::Kind::kConcerned:
      return choice.middle == edge.from.txn && choice.first == edge.to;
    default:
      return false;
  }
}

/// The edge that a step with a single choice shows.
std::optional<RowsCycleEdge> order_shown(const RowsProofStep& step) {
  if (step.clause.size() != 1 || !step.clause.front().holds) {
    return std::nullopt;
  }
  const RowsChoice& choice = step.clause.front();
  const bool is_version = choice.kind == RowsChoice::Kind::kConcerned && !choice.middle.is_none();
  if (choice.kind != RowsChoice::Kind::kBefore && !is_version) {
    return std::nullopt;
  }
  const OrderEvent from = is_version ? OrderEvent{choice.middle, true} : choice.first;
  const OrderEvent to = is_version ? choice.first : choice.second;
  return RowsCycleEdge{from, to, &step, relation_shown(step, from, to)};
}

}  // namespace

RowsStepBases::RowsStepBases(const History& history, const RowsProofEvidence& evidence,
                             std::span<const RowsCycleEdge> cycle)
    : history_(history),
      evidence_(evidence),
      level_(order_level(evidence.model).value_or(OrderLevel())),
      effects_(history, has_two_events(level_.visibility), evidence.model,
               RowsBeginning(history).any_row()) {
  std::set<std::pair<TxnId, KeyId>> asked;
  for (const RowsCycleEdge& edge : cycle) {
    if (edge.shown_by == nullptr || effects_.flaw()) {
      continue;
    }
    std::set<TxnId> readers = {edge.from.txn, edge.to.txn, edge.shown_by->txn};
    std::set<KeyId> rows = {edge.shown_by->row};
    for (const LastWriter& cause : edge.shown_by->causes) {
      readers.insert(cause.writer);
      rows.insert(cause.row);
    }
    readers.erase(TxnId::none());
    rows.erase(KeyId::none());
    for (const TxnId reader : readers) {
      for (const KeyId row : rows) {
        asked.emplace(reader, row);
      }
    }
  }
  for (const auto& [reader, row] : asked) {
    note_reads(reader, row);
  }
}

void RowsStepBases::note_reads(TxnId reader, KeyId row) {
  const std::vector<TxnId> writers = effects_.writers_of(row);
  const RowsProofCheck& alone = facts_of(StepNeeds::kNothing, NeedsFacts::kNone).check;
  const std::size_t part_count = kFirstColumn + history_.info().rows->column_count();
  const std::span<const Op> ops = history_.ops(reader);
  for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
    const rows::RowOp& op = history_.info().rows->op(ops[mop]);
    const bool is_about = op.has_predicate() || op.row == row;
    for (std::uint32_t part = 0; is_about && part < part_count; ++part) {
      for (const TxnId writer : writers) {
        if (asked_.size() == kMostGuesses) {
          return;
        }
        asked_.push_back(
            {.clause = {before({writer, true}, {reader, !has_two_events(level_.visibility)})},
             .reason = RowsProofStep::Reason::kFound,
             .txn = reader,
             .mop = mop,
             .causes = {{row, part, TxnId::none(), reader}},
             .by_predicate = op.has_predicate()});
        if (alone.holds_now(asked_.back())) {
          reads_.push_back(asked_.back().clause.front());
        }
      }
    }
  }
}

StepBasis RowsStepBases::of(const RowsProofStep& step) const {
  for (const StepNeeds needs : {StepNeeds::kNothing, StepNeeds::kSessions, StepNeeds::kRealTime}) {
    for (const NeedsFacts kind : {NeedsFacts::kNone, NeedsFacts::kDependencies, NeedsFacts::kAll}) {
      const Facts& facts = facts_of(needs, kind);
      if (facts.check.holds_now(step)) {
        const bool is_later = needs_later(facts.check, step);
        return {needs, is_later ? std::max(kind, NeedsFacts::kDependencies) : kind,
                facts.by_predicate || is_of_predicate(history_, step) ||
                    (is_later && has_later_predicate(history_, step))};
      }
    }
  }
  return {};
}

bool RowsStepBases::needs_later(const RowsProofCheck& check, const RowsProofStep& step) const {
  if (step.later.empty()) {
    return false;
  }
  asked_.push_back(step);
  asked_.back().later.clear();
  return !check.holds_now(asked_.back());
}

const RowsStepBases::Facts& RowsStepBases::facts_of(StepNeeds needs, NeedsFacts kind) const {
  std::unique_ptr<Facts>& facts = facts_[{needs, kind}];
  if (facts != nullptr) {
    return *facts;
  }
  OrderLevel level = level_;
  level.sessions = level.sessions && needs != StepNeeds::kNothing;
  level.real_time = level.real_time && needs == StepNeeds::kRealTime;
  facts = std::make_unique<Facts>(history_, level, evidence_);
  if (kind == NeedsFacts::kNone) {
    return *facts;
  }
  for (const RowsChoice& read : reads_) {
    facts->check.assume(read.first, read.second);
  }
  const RowsProofCheck& alone = facts_of(needs, NeedsFacts::kNone).check;
  for (const RowsProofStep& step : evidence_.steps) {
    const auto order = order_shown(step);
    const bool is_missed = order && order->relation == Relation::kRw;
    if (order && (kind == NeedsFacts::kAll || !is_missed) && facts->check.holds_now(step)) {
      facts->check.assume(order->from, order->to);
      const bool is_plain = !is_missed && alone.holds_now(step) && !needs_later(alone, step);
      facts->by_predicate =
          facts->by_predicate ||
          (!is_plain && (is_of_predicate(history_, step) || has_later_predicate(history_, step)));
    }
  }
  return *facts;
}

std::optional<AnomalyType> RowsCycleClass::of(std::span<const RowsCycleEdge> cycle) {
  kind_ = kind_of(cycle);
  return std::ranges::all_of(cycle, [&](const RowsCycleEdge& edge) { return note(edge); })
             ? std::optional(name())
             : std::nullopt;
}

RowsCycleClass::Kind RowsCycleClass::kind_of(std::span<const RowsCycleEdge> cycle) const {
  Kind kind;
  std::size_t anti = 0;
  bool is_adjacent = false;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const RowsCycleEdge& edge = cycle[i];
    kind.has_read = kind.has_read || (edge.shown_by != nullptr && edge.relation == Relation::kWr);
    if (is_anti(edge)) {
      ++anti;
      is_adjacent = is_adjacent || is_anti(cycle[(i + 1) % cycle.size()]);
      kind.by_predicate = kind.by_predicate || is_of_predicate(history_, *edge.shown_by);
    }
  }
  kind.anti = anti == 0     ? Anti::kNone
              : anti == 1   ? Anti::kOne
              : is_adjacent ? Anti::kAdjacent
                            : Anti::kApart;
  return kind;
}

AnomalyType RowsCycleClass::name() const {
  using T = AnomalyType;
  static constexpr std::array<std::array<T, 3>, 8> kTypes = {{
      {T::kG0, T::kG0Process, T::kG0Realtime},
      {T::kG1c, T::kG1cProcess, T::kG1cRealtime},
      {T::kGSingleItem, T::kGSingleItemProcess, T::kGSingleItemRealtime},
      {T::kGSingle, T::kGSingleProcess, T::kGSingleRealtime},
      {T::kGNonadjacentItem, T::kGNonadjacentItemProcess, T::kGNonadjacentItemRealtime},
      {T::kGNonadjacent, T::kGNonadjacentProcess, T::kGNonadjacentRealtime},
      {T::kG2Item, T::kG2ItemProcess, T::kG2ItemRealtime},
      {T::kG2, T::kG2Process, T::kG2Realtime},
  }};
  const bool second = kind_.anti == Anti::kNone ? kind_.has_read : kind_.by_predicate;
  return kTypes.at(2 * static_cast<std::size_t>(kind_.anti) + (second ? 1 : 0))
      .at(has_real_time_ ? 2
          : has_process_ ? 1
                         : 0);
}

void RowsCycleClass::join(const Kind& kind) {
  kind_.anti = std::max(kind_.anti, kind.anti);
  kind_.by_predicate = kind_.by_predicate || kind.by_predicate;
  kind_.has_read = kind_.has_read || kind.has_read;
}

bool RowsCycleClass::note(const RowsCycleEdge& edge) {
  if (edge.shown_by != nullptr) {
    const RowsProofStep& step = *edge.shown_by;
    return note(step) && std::ranges::all_of(step.clause, [&](const RowsChoice& choice) {
             return is_of(choice, edge) || note_refuted(step, choice);
           });
  }
  if (edge.from.txn != history_.info().initial_txn) {
    const auto level = order_level(evidence_.model);
    const bool is_own = level && level->sessions && edge.from.txn < edge.to.txn &&
                        history_.session(edge.from.txn) == history_.session(edge.to.txn);
    note(is_own ? StepNeeds::kSessions : StepNeeds::kRealTime);
  }
  return true;
}

bool RowsCycleClass::note(const RowsProofStep& step) {
  const StepBasis basis = bases_.of(step);
  note(basis.needs);
  if (basis.facts == NeedsFacts::kDependencies) {
    join({.anti = Anti::kOne, .by_predicate = basis.by_predicate});
  } else if (basis.facts == NeedsFacts::kAll) {
    join({.anti = Anti::kAdjacent, .by_predicate = basis.by_predicate});
  }
  return basis.needs != StepNeeds::kOtherSteps;
}

void RowsCycleClass::note(StepNeeds needs) {
  has_process_ = has_process_ || needs == StepNeeds::kSessions;
  has_real_time_ = has_real_time_ || needs == StepNeeds::kRealTime;
}

bool RowsCycleClass::note_refuted(const RowsProofStep& step, const RowsChoice& choice) {
  const std::vector<RowsChoice> refuting = {contrary(choice)};
  const auto by = std::ranges::find_if(evidence_.steps, [&](const RowsProofStep& one) {
    return one.clause == refuting && bases_.of(one).needs != StepNeeds::kOtherSteps;
  });
  if (by == evidence_.steps.end()) {
    return false;
  }
  if (choice.kind == RowsChoice::Kind::kBefore) {
    const OrderEvent from = choice.first;
    const OrderEvent to = choice.second;
    const bool is_given = by->reason == RowsProofStep::Reason::kCycle;
    join(kind_of(std::array{
        RowsCycleEdge{from, to, &step, relation_shown(step, from, to)},
        RowsCycleEdge{to, from, is_given ? nullptr : &*by, relation_shown(*by, to, from)}}));
  }
  return note(*by);
}

}  // namespace elapid::certify
