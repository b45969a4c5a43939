// Rows, and predicates that did or did not find them.
#include "engine/evidence/rows.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/evidence/kinds.h"
#include "engine/rows/rows.h"
#include "engine/rows/text.h"

namespace elapid {
namespace {

/// `value 15`, or that the row was not there.
Phrase version_words(ValueId value, const History& history) {
  if (value.is_none()) {
    return as_phrase("unborn");
  }
  return value == history.values().find(":elle/dead") ? as_phrase("dead")
                                                      : as_phrase(ValuePart{value});
}

Phrase predicate_words(const History& history, TxnId txn, std::int32_t mop) {
  const rows::Rows& rows = *history.info().rows;
  const Op op = history.ops(txn)[static_cast<std::size_t>(mop)];
  return as_phrase(rows::text(history, rows.predicate(rows.op(op))));
}

}  // namespace

Phrase row_step_words(const Step& step, ActorPart from, ActorPart to, Story& story) {
  const History& history = story.history();
  const ValuePart row = story.key(step.key);
  const Phrase seen = version_words(step.value, history);
  const Phrase after = version_words(step.value_after, history);
  if (step.relation == Relation::kWw) {
    return phrase("{} left row {} as {}, and {} made it {}", from, row, seen, to, after);
  }
  if (step.relation == Relation::kWr) {
    return step.by_predicate ? phrase("{} left row {} as {}, which {} saw in its read by {}", from,
                                      row, seen, to, predicate_words(history, step.to, step.to_mop))
                             : phrase("{} left row {} as {}, which {} read", from, row, seen, to);
  }
  return step.by_predicate
             ? phrase(
                   "{} read by {} and saw row {} as {}, and {} made it {}, which the predicate "
                   "tells apart",
                   from, predicate_words(history, step.from, step.from_mop), row, seen, to, after)
             : phrase("{} read row {} as {}, and {} made it {}", from, row, seen, to, after);
}

namespace {

std::string column_text(const History& history, rows::ColumnId column) {
  const ValueId name = history.info().rows->column_name(column);
  return name.is_none() ? "its value" : history.text(name);
}

/// `10 <= :age <= 20`.
std::string condition(const History& history, const rows::Predicate& is) {
  using Kind = rows::Predicate::Kind;
  const std::string low = std::to_string(is.low);
  const std::string high = std::to_string(is.high);
  switch (is.kind) {
    case Kind::kTrue:
      return "any columns";
    case Kind::kEqual:
      return column_text(history, is.column) + " = " + history.text(is.value);
    case Kind::kRange:
      return low + " <= " + column_text(history, is.column) + " <= " + high;
    case Kind::kMod:
      return column_text(history, is.column) + " mod " + high + " = " + low;
    case Kind::kKeyRange:
      return low + " <= key <= " + high;
    case Kind::kPresent:
      return "a " + column_text(history, is.column);
    default:
      return rows::text(history, is);
  }
}

/// Tells what a proof about rows comes to.
class RowsProofTeller {
 public:
  RowsProofTeller(const RowsProofEvidence& evidence, Story& story)
      : evidence_(evidence),
        story_(story),
        history_(story.history()),
        rows_(*story.history().info().rows) {}

  void tell() {
    const std::vector<RowsCycleEdge> cycle = plain_cycle(evidence_);
    const RowsProofStep* alone = contradiction();
    if (!cycle.empty()) {
      tell_cycle(cycle);
    } else if (alone != nullptr) {
      story_.claim("{}.", found(*alone));
      story_.claim("However, nothing that {} can have found there is like that: a contradiction!",
                   story_.actor(alone->txn, static_cast<std::int32_t>(alone->mop)));
    } else {
      tell_choices();
    }
  }

 private:
  /// An operation that no choice explains.
  [[nodiscard]] const RowsProofStep* contradiction() const {
    for (const RowsProofStep& step : evidence_.steps) {
      const bool is_fact = step.reason == RowsProofStep::Reason::kFound ||
                           step.reason == RowsProofStep::Reason::kVersions;
      if (is_fact && step.clause.empty()) {
        return &step;
      }
    }
    return nullptr;
  }

  void tell_cycle(const std::vector<RowsCycleEdge>& cycle) {
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const RowsCycleEdge& edge = cycle[i];
      const bool is_last = i + 1 == cycle.size();
      const ActorPart from = story_.actor(edge.from.txn);
      const ActorPart to = story_.actor(edge.to.txn);
      story_.claim(
          is_last ? "However, {} < {}, because {}: a contradiction!" : "{} < {}, because {}.", from,
          to, reason(edge));
      story_.arrow(arrow(edge, from, to));
    }
  }

  [[nodiscard]] bool in_session(const RowsCycleEdge& edge) const {
    return history_.session(edge.from.txn) == history_.session(edge.to.txn);
  }

  Phrase reason(const RowsCycleEdge& edge) {
    if (edge.shown_by != nullptr) {
      return reason(*edge.shown_by, &edge);
    }
    if (edge.from.txn == history_.info().initial_txn) {
      return phrase("{} came before all others", story_.actor(edge.from.txn));
    }
    return in_session(edge)
               ? phrase("session {} executed {} before {}",
                        std::to_string(history_.session_name(history_.session(edge.from.txn))),
                        story_.actor(edge.from.txn), story_.actor(edge.to.txn))
               : phrase("{} completed before the invocation of {}", story_.actor(edge.from.txn),
                        story_.actor(edge.to.txn));
  }

  /// What shows that of the step's choices one holds, or the edge.
  Phrase reason(const RowsProofStep& step, const RowsCycleEdge* edge) {
    if (step.reason == RowsProofStep::Reason::kOverlap) {
      return phrase("both {} and {} wrote row {}, so that they do not overlap",
                    story_.actor(step.txn), story_.actor(step.other), story_.key(step.row));
    }
    Phrase all = found(step);
    if (step.reason == RowsProofStep::Reason::kVersions) {
      return edge == nullptr ? phrase("{}, which then was one of its versions", std::move(all))
                             : phrase("{}, as only {} can have left it", std::move(all),
                                      story_.actor(edge->from.txn));
    }
    if (edge != nullptr && edge->relation == Relation::kWr) {
      return phrase("{}, which only {} can have brought about", std::move(all),
                    story_.actor(edge->from.txn));
    }
    for (const LastWriter& cause : step.causes) {
      if (cause.reader == step.txn && cause.row == row_of(step)) {
        all = phrase("{}, {}", std::move(all), left(cause));
      }
    }
    return edge != nullptr && edge->relation == Relation::kWw
               ? phrase("{}, so that {} came in between", std::move(all),
                        story_.actor(edge->to.txn))
               : all;
  }

  /// That the step is about; none() where only its transaction's own writes tell.
  static KeyId row_of(const RowsProofStep& step) {
    return !step.row.is_none() || step.causes.empty() ? step.row : step.causes.front().row;
  }

  /// `T2 read rows with 10 <= :age <= 20 and was not shown row 7`.
  Phrase found(const RowsProofStep& step) {
    const auto mop = static_cast<std::int32_t>(step.mop);
    const ActorPart reader = story_.actor(step.txn, mop);
    const rows::RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const KeyId row = row_of(step).is_none() ? op.row : row_of(step);
    if (!op.has_predicate()) {
      const ValuePart key = story_.key(row);
      switch (op.kind) {
        case rows::RowOpKind::kInsert:
          return phrase("{} inserted row {}, which was not there then", reader, key);
        case rows::RowOpKind::kUpdate:
          return phrase("{} updated row {}, which was there then", reader, key);
        default:
          return op.shown_count == 0
                     ? phrase("{} read row {} and did not find it", reader, key)
                     : phrase("{} read row {} by {}", reader, key,
                              rows::text(history_, history_.ops(step.txn)[step.mop]));
      }
    }
    const std::string where = condition(history_, rows_.predicate(op));
    if (row.is_none()) {
      return phrase("{} looked for rows with {}, and found others than it had written itself",
                    reader, where);
    }
    const auto shown = rows_.shown(op);
    if (op.known == rows::Known::kCount || op.known == rows::Known::kAny ||
        op.known == rows::Known::kBag) {
      const std::size_t count = op.known == rows::Known::kBag ? shown.size() : op.count;
      return phrase("{} looked for rows with {} and found {}, where row {} counts", reader, where,
                    op.known == rows::Known::kAny ? "some" : std::to_string(count),
                    story_.key(row));
    }
    const bool is_shown = std::ranges::find(shown, row, &rows::ShownRow::row) != shown.end();
    return phrase("{} read rows with {} and was {} row {}", reader, where,
                  is_shown ? "shown" : "not shown", story_.key(row));
  }

  /// Whether the operation writes rows that its predicate matched, nobody recorded which.
  [[nodiscard]] bool is_by_count(const rows::RowOp& op, const LastWriter& cause) const {
    return op.has_predicate() && op.shown_count == 0 && op.table == rows_.table(cause.row);
  }

  /// `to which T1 had given :age 15`.
  Phrase left(const LastWriter& cause) {
    if (cause.writer.is_none()) {
      return as_phrase("which nobody had made at first");
    }
    const std::span<const Op> ops = history_.ops(cause.writer);
    std::int32_t last = -1;
    ValueId value = ValueId::none();
    bool is_dead = false;
    for (std::size_t mop = 0; mop < ops.size(); ++mop) {
      const rows::RowOp& op = rows_.op(ops[mop]);
      const auto shown = rows_.shown(op);
      const bool writes =
          !op.is_read() &&
          (op.row == cause.row || is_by_count(op, cause) ||
           (op.has_predicate() &&
            std::ranges::find(shown, cause.row, &rows::ShownRow::row) != shown.end()));
      if (!writes) {
        continue;
      }
      last = static_cast<std::int32_t>(mop);
      is_dead = op.kind == rows::RowOpKind::kDelete || op.kind == rows::RowOpKind::kPredicateDelete;
      value = is_dead || op.kind == rows::RowOpKind::kInsert ? ValueId::none() : value;
      for (const rows::Field& field : rows_.written(op)) {
        if (cause.part == kFirstColumn + field.column.value) {
          value = field.value;
        }
      }
    }
    const ActorPart writer = story_.actor(cause.writer, last);
    if (is_dead) {
      return phrase("which {} had deleted", writer);
    }
    if (cause.part == kRowExistence) {
      return phrase("which {} had made", writer);
    }
    if (cause.part == kRowVersion) {
      return phrase("of which {} had made another version", writer);
    }
    const std::string column = column_text(history_, rows::ColumnId{cause.part - kFirstColumn});
    return value.is_none() ? phrase("which {} had left without {}", writer, column)
                           : phrase("of which {} had made {} {}", writer, column, ValuePart{value});
  }

  Arrow arrow(const RowsCycleEdge& edge, ActorPart from, ActorPart to) const {
    Arrow arrow = {.from = from.actor, .to = to.actor};
    if (edge.shown_by == nullptr) {
      arrow.relation = in_session(edge) ? Relation::kProcess : Relation::kRealtime;
      return arrow;
    }
    const RowsProofStep& step = *edge.shown_by;
    arrow.relation = edge.relation;
    const KeyId row = row_of(step);
    if (!row.is_none()) {
      arrow.key = history_.key_value(row);
    }
    if (step.reason != RowsProofStep::Reason::kOverlap) {
      (edge.from.txn == step.txn ? arrow.from_mop : arrow.to_mop) =
          edge.from.txn == step.txn || edge.to.txn == step.txn ? std::optional(step.mop)
                                                               : std::nullopt;
    }
    return arrow;
  }

  /// Where the proof goes through cases: what each operation at issue leaves open.
  void tell_choices() {
    constexpr std::size_t kMost = 20;
    std::size_t told = 0;
    std::size_t left_out = 0;
    for (const RowsProofStep& step : evidence_.steps) {
      const bool is_fact = step.reason == RowsProofStep::Reason::kFound ||
                           step.reason == RowsProofStep::Reason::kVersions ||
                           step.reason == RowsProofStep::Reason::kOverlap;
      if (!is_fact) {
        continue;
      }
      if (told == kMost) {
        ++left_out;
        continue;
      }
      ++told;
      Phrase choices;
      for (const RowsChoice& choice : step.clause) {
        choices = choices.empty() ? words(choice)
                                  : phrase("{}, or {}", std::move(choices), words(choice));
      }
      story_.claim("{}, because {}.", std::move(choices), reason(step, nullptr));
    }
    if (left_out > 0) {
      story_.claim("{} leave less.", counted(left_out, "more such choice"));
    }
    story_.claim("However, whatever is chosen, the transactions have no order: a contradiction!");
  }

  Phrase words(const RowsChoice& choice) {
    switch (choice.kind) {
      case RowsChoice::Kind::kBefore:
        return phrase("{} < {}", story_.actor(choice.first.txn), story_.actor(choice.second.txn));
      case RowsChoice::Kind::kBetween:
        return choice.first.txn.is_none()
                   ? phrase("{} < {}", story_.actor(choice.middle), story_.actor(choice.second.txn))
                   : phrase("{} < {} < {}", story_.actor(choice.first.txn),
                            story_.actor(choice.middle), story_.actor(choice.second.txn));
      case RowsChoice::Kind::kConcerned:
        return phrase("it concerned row {} as {} had left it", story_.key(choice.row),
                      story_.actor(choice.middle));
      default:
        return phrase(choice.holds ? "{} took effect" : "{} did not take effect",
                      story_.actor(choice.first.txn));
    }
  }

  const RowsProofEvidence& evidence_;
  Story& story_;
  const History& history_;
  const rows::Rows& rows_;
};

}  // namespace

void tell(const RowsProofEvidence& evidence, Story& story) {
  if (name(story.type()).find("cycle-exists") != std::string_view::npos) {
    story.gloss("no order of the transactions explains what they read");
  }
  RowsProofTeller(evidence, story).tell();
}

void tell(const PredicateMissEvidence& evidence, Story& story) {
  const auto mop = static_cast<std::int32_t>(evidence.mop);
  const ActorPart reader = story.actor(evidence.reader, mop);
  story.claim("Whatever version of row {} there was when {} read, {} matches it.",
              story.key(evidence.row), reader,
              predicate_words(story.history(), evidence.reader, mop));
  story.claim("However, {} did not find the row: a predicate read missed it!", reader);
}

}  // namespace elapid
