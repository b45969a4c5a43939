// Proofs that transactions on rows have no order, as claims.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/evidence/kinds.h"
#include "engine/evidence/row_words.h"
#include "engine/rows/rows.h"
#include "engine/rows/words.h"

namespace elapid {
namespace {

using rows::column_words;
using rows::condition_words;

/// Tells the result of a proof about rows.
class RowsProofTeller {
 public:
  RowsProofTeller(const RowsProofEvidence& evidence, Story& story)
      : evidence_(evidence),
        story_(story),
        history_(story.history()),
        rows_(*story.history().info().rows) {}

  void tell() {
    const std::vector<RowsCycleEdge> cycle = plain_cycle(evidence_);
    if (is_phantom(cycle)) {
      story_.gloss("a phantom: one predicate, evaluated twice, found different rows");
    }
    const RowsProofStep* alone = contradiction(cycle);
    if (!cycle.empty() && alone == nullptr) {
      tell_cycle(cycle);
    } else if (alone != nullptr) {
      story_.claim("{}.", found(*alone, row_of(*alone, nullptr)));
      story_.claim("However, {} cannot have this result: a contradiction!",
                   story_.actor(alone->txn, static_cast<std::int32_t>(alone->mop)));
    } else {
      tell_choices();
    }
  }

 private:
  /// An operation that contradicts all choices, or that alone makes a read dirty.
  [[nodiscard]] const RowsProofStep* contradiction(const std::vector<RowsCycleEdge>& cycle) const {
    const bool is_dirty = story_.type() == AnomalyType::kG1a ||
                          story_.type() == AnomalyType::kG1b ||
                          story_.type() == AnomalyType::kGarbageRead;
    if (!cycle.empty()) {
      // Of garbage reads, only operations that were shown the row count.
      const bool is_shown = story_.type() == AnomalyType::kGarbageRead;
      return is_dirty ? only_finding(cycle, is_shown) : nullptr;
    }
    for (const RowsProofStep& step : evidence_.steps) {
      const bool is_fact = step.reason == RowsProofStep::Reason::kFound ||
                           step.reason == RowsProofStep::Reason::kVersions;
      if (is_fact && step.clause.empty()) {
        return &step;
      }
    }
    return nullptr;
  }

  /// A step that shows an edge, if all steps that do so are of one operation. With `is_shown`, only
  /// edges count whose row was shown to the operation.
  [[nodiscard]] const RowsProofStep* only_finding(const std::vector<RowsCycleEdge>& cycle,
                                                  bool is_shown) const {
    const RowsProofStep* only = nullptr;
    for (const RowsCycleEdge& edge : cycle) {
      const RowsProofStep* step = edge.shown_by;
      if (is_shown && (step == nullptr || !shows(operation(*step), row_of(*step, &edge)))) {
        continue;
      }
      if (step == nullptr ||
          (only != nullptr && (only->txn != step->txn || only->mop != step->mop))) {
        return nullptr;
      }
      only = only == nullptr ? step : only;
    }
    return only;
  }

  [[nodiscard]] bool shows(const rows::RowOp& op, KeyId row) const {
    const auto shown = rows_.shown(op);
    return std::ranges::find(shown, row, &rows::ShownRow::row) != shown.end();
  }

  /// A transaction evaluated a predicate twice, and another one changed what it finds in between
  /// (A3 of Berenson et al., SIGMOD 1995).
  [[nodiscard]] bool is_phantom(const std::vector<RowsCycleEdge>& cycle) const {
    if (cycle.size() != 2 || cycle[0].shown_by == nullptr || cycle[1].shown_by == nullptr) {
      return false;
    }
    const RowsProofStep& one = *cycle[0].shown_by;
    const RowsProofStep& other = *cycle[1].shown_by;
    return one.by_predicate && other.by_predicate && one.txn == other.txn && one.mop != other.mop &&
           rows_.predicate(operation(one)) == rows_.predicate(operation(other));
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
    return in_session(edge) ? phrase("session {} executed {} before {}",
                                     history_.session_text(history_.session(edge.from.txn)),
                                     story_.actor(edge.from.txn), story_.actor(edge.to.txn))
                            : phrase("{} completed before the invocation of {}",
                                     story_.actor(edge.from.txn), story_.actor(edge.to.txn));
  }

  /// The operation that forces one of the step's choices, or the edge.
  Phrase reason(const RowsProofStep& step, const RowsCycleEdge* edge) {
    if (step.reason == RowsProofStep::Reason::kOverlap) {
      return overlap(step, edge);
    }
    if (step.reason == RowsProofStep::Reason::kAtLeast ||
        step.reason == RowsProofStep::Reason::kAtMost) {
      const rows::RowOp& op = operation(step);
      return phrase("{} looked for rows with {} and found {}",
                    story_.actor(step.txn, static_cast<std::int32_t>(step.mop)),
                    condition_words(history_, rows_.predicate(op)), number_found(op));
    }
    if (step.reason == RowsProofStep::Reason::kFractured) {
      return phrase("{} sees all that {} wrote or nothing, and row {} is of that",
                    story_.actor(step.txn), story_.actor(step.other), story_.key(step.row));
    }
    const KeyId row = row_of(step, edge);
    Phrase all = found(step, row);
    if (step.reason == RowsProofStep::Reason::kVersions) {
      return edge == nullptr ? phrase("{}, which then was one of its versions", std::move(all))
                             : phrase("{}, as only {} can have left it", std::move(all),
                                      story_.actor(edge->from.txn));
    }
    if (edge != nullptr && edge->relation == Relation::kWr) {
      return phrase("{}, as is possible only after {}", std::move(all),
                    story_.actor(edge->from.txn));
    }
    if (counts(operation(step)) && !row.is_none()) {
      if (edge == nullptr && has_many_rows(step)) {
        return phrase("{}, which contradicts the rows at that time", std::move(all));
      }
      all = phrase("{}, which does not fit row {}", std::move(all), story_.key(row));
    }
    for (const std::vector<LastWriter>& parts : by_writer(step, row)) {
      all = phrase("{}, {}", std::move(all), left_words(parts, story_));
    }
    const auto later = std::ranges::find_if(
        step.later, [&](const LaterFinding& found) { return found.txn != step.txn; });
    if (later != step.later.end() && edge != nullptr && edge->relation == Relation::kRw) {
      all = phrase("{}, as {} found it afterwards", std::move(all),
                   story_.actor(later->txn, static_cast<std::int32_t>(later->mop)));
    }
    return edge != nullptr && edge->relation == Relation::kWw
               ? phrase("{}, so that {} came in between", std::move(all),
                        story_.actor(edge->to.txn))
               : all;
  }

  Phrase overlap(const RowsProofStep& step, const RowsCycleEdge* edge) {
    Phrase all = phrase("both {} and {} wrote row {}, so that they do not overlap",
                        story_.actor(step.txn), story_.actor(step.other), story_.key(step.row));
    // The overlap leaves two orders. Another operation rules out one of them.
    const auto other = std::ranges::find_if(evidence_.steps, [&](const RowsProofStep& found) {
      return edge != nullptr && found.reason == RowsProofStep::Reason::kFound &&
             found.txn == edge->from.txn && found.clause.size() == 1 &&
             found.clause.front().kind == RowsChoice::Kind::kBefore &&
             found.clause.front().first.txn == edge->from.txn &&
             found.clause.front().second.txn == edge->to.txn;
    });
    return step.clause.size() < 2 || other == evidence_.steps.end()
               ? all
               : phrase("{}, and {}", reason(*other, nullptr), std::move(all));
  }

  /// The state of the row for the step's transaction: the causes, grouped by writer.
  static std::vector<std::vector<LastWriter>> by_writer(const RowsProofStep& step, KeyId row) {
    std::vector<std::vector<LastWriter>> all;
    for (const LastWriter& cause : step.causes) {
      if (cause.reader != step.txn || cause.row != row) {
        continue;
      }
      const auto same = std::ranges::find(all, cause.writer,
                                          [](const auto& parts) { return parts.front().writer; });
      if (same == all.end()) {
        all.push_back({cause});
      } else {
        same->push_back(cause);
      }
    }
    return all;
  }

  /// The row of the step, or of the edge that it shows; none() if only the own writes of its
  /// transaction tell.
  static KeyId row_of(const RowsProofStep& step, const RowsCycleEdge* edge) {
    if (!step.row.is_none() || step.causes.empty()) {
      return step.row;
    }
    if (edge != nullptr) {
      const TxnId other = edge->from.txn == step.txn ? edge->to.txn : edge->from.txn;
      const auto theirs = std::ranges::find(step.causes, other, &LastWriter::writer);
      if (theirs != step.causes.end()) {
        return theirs->row;
      }
    }
    return step.causes.front().row;
  }

  static bool has_many_rows(const RowsProofStep& step) {
    return std::ranges::any_of(
        step.causes, [&](const LastWriter& cause) { return cause.row != step.causes.front().row; });
  }

  [[nodiscard]] const rows::RowOp& operation(const RowsProofStep& step) const {
    return rows_.op(history_.ops(step.txn)[step.mop]);
  }

  /// Whether the result tells how many rows matched, and not which.
  static bool counts(const rows::RowOp& op) {
    return op.known == rows::Known::kCount || op.known == rows::Known::kAny ||
           op.known == rows::Known::kBag;
  }

  /// `none`, `some`, `12`.
  [[nodiscard]] std::string number_found(const rows::RowOp& op) const {
    const std::size_t count =
        op.known == rows::Known::kBag ? rows_.shown(op).size() : std::size_t{op.count};
    if (count == 0) {
      return "none";
    }
    return op.known == rows::Known::kAny ? "some" : std::to_string(count);
  }

  /// `T2 read rows with 10 <= :age <= 20 and was not shown row 7`.
  Phrase found(const RowsProofStep& step, KeyId row) {
    const auto mop = static_cast<std::int32_t>(step.mop);
    const ValueId at_issue = row.is_none() ? ValueId::none() : history_.key_value(row);
    const ActorPart reader = story_.actor(step.txn, mop, at_issue);
    const rows::RowOp& op = operation(step);
    if (!op.has_predicate()) {
      return found_by_key(op, reader);
    }
    const std::string where = condition_words(history_, rows_.predicate(op));
    if (row.is_none()) {
      return phrase("{} looked for rows with {}, and the result contradicts its own writes", reader,
                    where);
    }
    if (counts(op)) {
      return phrase("{} looked for rows with {} and found {}", reader, where, number_found(op));
    }
    return phrase("{} read rows with {} and was {} row {}", reader, where,
                  shows(op, row) ? "shown" : "not shown", story_.key(row));
  }

  Phrase found_by_key(const rows::RowOp& op, ActorPart reader) {
    const ValuePart key = story_.key(op.row);
    if (op.kind == rows::RowOpKind::kInsert) {
      return phrase("{} inserted row {}, which was not there then", reader, key);
    }
    if (op.kind == rows::RowOpKind::kUpdate) {
      return phrase("{} updated row {}, which was there then", reader, key);
    }
    if (op.shown_count == 0) {
      return phrase("{} read row {} and did not find it", reader, key);
    }
    const rows::ShownRow& shown = rows_.shown(op).front();
    if (op.known == rows::Known::kVersions) {
      return phrase("{} read version {} of row {}", reader, ValuePart{shown.version}, key);
    }
    const std::span<const rows::Field> fields = rows_.fields(shown);
    return fields.empty()
               ? phrase("{} read row {}", reader, key)
               : phrase("{} read row {} with {}", reader, key, record_words(history_, fields));
  }

  Arrow arrow(const RowsCycleEdge& edge, ActorPart from, ActorPart to) const {
    Arrow arrow = {.from = from.actor, .to = to.actor};
    if (edge.shown_by == nullptr) {
      arrow.relation = in_session(edge) ? Relation::kProcess : Relation::kRealtime;
      return arrow;
    }
    const RowsProofStep& step = *edge.shown_by;
    arrow.relation = edge.relation;
    const KeyId row = row_of(step, &edge);
    if (!row.is_none()) {
      arrow.key = history_.key_value(row);
    }
    const bool is_first = edge.from.txn == step.txn;
    if (step.reason == RowsProofStep::Reason::kOverlap || (!is_first && edge.to.txn != step.txn)) {
      return arrow;
    }
    (is_first ? arrow.from_mop : arrow.to_mop) = step.mop;
    if (!row.is_none()) {
      (is_first ? arrow.to_mop : arrow.from_mop) =
          last_write(history_, is_first ? edge.to.txn : edge.from.txn, row);
    }
    return arrow;
  }

  /// If the proof goes through cases, tells the choices that each operation at issue leaves.
  void tell_choices() {
    constexpr std::size_t kMost = 20;
    std::size_t told = 0;
    std::size_t left_out = 0;
    for (const RowsProofStep& step : evidence_.steps) {
      const bool is_fact = step.reason == RowsProofStep::Reason::kFound ||
                           step.reason == RowsProofStep::Reason::kVersions ||
                           step.reason == RowsProofStep::Reason::kWritten ||
                           step.reason == RowsProofStep::Reason::kFractured ||
                           step.reason == RowsProofStep::Reason::kAtLeast ||
                           step.reason == RowsProofStep::Reason::kAtMost ||
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

  /// `row 7 began with :age 15`.
  Phrase at_first(const RowsChoice& choice) {
    const ValuePart row = story_.key(choice.row);
    if (choice.part == kRowExistence) {
      return phrase(choice.holds ? "row {} was there at the beginning"
                                 : "row {} was not there at the beginning",
                    row);
    }
    constexpr std::size_t kMostValues = 5;
    std::string values;
    for (const ValueId value : choice.values) {
      values += (values.empty() ? "" : ", ") +
                (value.is_none() ? std::string("nothing") : history_.shown_text(value));
    }
    const std::string column = column_words(history_, rows::ColumnId{choice.part - kFirstColumn});
    return phrase(
        choice.holds ? "row {} began with {} among {}" : "row {} began with {} not among {}", row,
        column,
        choice.values.size() > kMostValues ? counted(choice.values.size(), "value") : values);
  }

  /// `T2 saw row 7 as T1 had left it`.
  Phrase sight(const RowsChoice& choice) {
    const ActorPart reader = story_.actor(choice.first.txn, static_cast<std::int32_t>(choice.mop));
    const ValuePart row = story_.key(choice.row);
    if (choice.middle.is_none()) {
      return phrase(choice.holds ? "{} saw row {} as it was at the beginning"
                                 : "{} did not see row {} as it was at the beginning",
                    reader, row);
    }
    return phrase(choice.holds ? "{} saw row {} as {} had left it"
                               : "{} did not see row {} as {} had left it",
                  reader, row, story_.actor(choice.middle));
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
      case RowsChoice::Kind::kAtFirst:
        return at_first(choice);
      case RowsChoice::Kind::kFound:
        return phrase(choice.holds ? "{} found row {}" : "{} did not find row {}",
                      story_.actor(choice.first.txn, static_cast<std::int32_t>(choice.mop)),
                      story_.key(choice.row));
      case RowsChoice::Kind::kConcerned:
        return sight(choice);
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

}  // namespace elapid
