#include "engine/certify/rows_proof.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/rows/rows.h"

namespace elapid {

namespace {

using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;
using rows::Truth;

using ChoiceKind = RowsChoice::Kind;
using ProofReason = RowsProofStep::Reason;

/// What is known of a row: a part that is not named may be anything.
struct KnownRow {
  std::optional<bool> exists = {};
  std::optional<ValueId> version = {};
  std::map<rows::ColumnId, ValueId> columns = {};  ///< none() where a column is missing
  bool has_all_columns = false;                    ///< those not named are missing

  [[nodiscard]] std::optional<ValueId> column(rows::ColumnId column) const {
    const auto found = columns.find(column);
    return found != columns.end() ? std::optional(found->second)
           : has_all_columns      ? std::optional(ValueId::none())
                                  : std::nullopt;
  }
};

class RowsProofCheck {
 public:
  RowsProofCheck(const History& history, OrderLevel level, const RowsProofEvidence& evidence)
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        has_two_events_(has_two_events(level.visibility)),
        evidence_(evidence) {}

  std::optional<std::string> check() {
    if (!rows_.is_closed()) {
      return "rows may have existed before, so that nothing is certain of who wrote them last";
    }
    if (auto flaw = check_operations()) {
      return flaw;
    }
    for (std::size_t i = 0; i < evidence_.steps.size(); ++i) {
      const RowsProofStep& step = evidence_.steps[i];
      const char* flaw = is_understood(step) ? flaw_of(step) : "it names what does not exist";
      if (flaw != nullptr) {
        return "step " + std::to_string(i + 1) + " of the proof does not follow: " + flaw;
      }
      add(step.clause);
    }
    const bool is_whole = !evidence_.steps.empty() && evidence_.steps.back().clause.empty();
    return is_whole ? std::nullopt
                    : std::optional<std::string>("the proof does not end in a contradiction");
  }

 private:
  using Literal = std::pair<std::size_t, bool>;  // a variable and its value

  // What transactions do.

  /// Everything that is written must be known row by row.
  std::optional<std::string> check_operations() {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      for (const Op place : history_.ops(txn)) {
        const RowOp& op = rows_.op(place);
        const bool is_named =
            op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys;
        if (op.kind > RowOpKind::kPredicateRead && (op.first > 0 || !is_named) && !is_empty(op)) {
          return "a predicate wrote rows that are not named";
        }
        each_written(op, [&](KeyId row) {
          std::vector<TxnId>& writers = writers_[row];
          if (writers.empty() || writers.back() != txn) {
            writers.push_back(txn);
          }
        });
      }
    }
    return std::nullopt;
  }

  /// Whether it is recorded that nothing was found.
  static bool is_empty(const RowOp& op) {
    return op.known != Known::kNothing && op.shown_count == 0 &&
           ((op.known != Known::kCount && op.known != Known::kAny) || op.count == 0);
  }

  template <class Visit>
  void each_written(const RowOp& op, Visit visit) const {
    if (op.is_read()) {
      return;
    }
    if (!op.has_predicate()) {
      visit(op.row);
      return;
    }
    for (const ShownRow& shown : rows_.shown(op)) {
      visit(shown.row);
    }
  }

  static bool deletes(const RowOp& op) {
    return op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete;
  }

  /// What the transaction's first `count` operations make of a row of which `row` is known.
  [[nodiscard]] KnownRow carried_out(TxnId txn, std::size_t count, KeyId key, KnownRow row) const {
    for (const Op place : history_.ops(txn).first(count)) {
      const RowOp& op = rows_.op(place);
      each_written(op, [&](KeyId written) {
        if (written != key) {
          return;
        }
        if (deletes(op)) {
          row = {
              .exists = false, .version = ValueId::nil(), .columns = {}, .has_all_columns = true};
          return;
        }
        if (op.kind == RowOpKind::kInsert) {
          row = {.exists = true, .version = op.version, .columns = {}, .has_all_columns = true};
        } else if (op.kind == RowOpKind::kPut) {
          row.exists = true;
        }
        row.version = op.version;
        for (const rows::Field& field : rows_.written(op)) {
          row.columns[field.column] = field.value;
        }
      });
    }
    return row;
  }

  [[nodiscard]] KnownRow left_by(TxnId txn, KeyId key) const {
    return txn.is_none() ? KnownRow{.exists = false,
                                    .version = ValueId::nil(),
                                    .columns = {},
                                    .has_all_columns = true}
                         : carried_out(txn, history_.ops(txn).size(), key, {});
  }

  [[nodiscard]] bool writes(TxnId txn, KeyId key, std::uint32_t part) const {
    const KnownRow row = carried_out(txn, history_.ops(txn).size(), key, {});
    return part == kRowExistence ? row.exists.has_value()
           : part == kRowVersion ? row.version.has_value()
                                 : row.column(rows::ColumnId{part - kFirstColumn}).has_value();
  }

  [[nodiscard]] bool is_repeatable() const { return evidence_.model == Model::kPl299; }

  [[nodiscard]] bool surely_writes(TxnId txn, KeyId key) const {
    return surely_writes(txn, history_.ops(txn).size(), key);
  }

  /// Whether the transaction's first `count` operations write the row whatever they find: a delete
  /// may find nothing.
  [[nodiscard]] bool surely_writes(TxnId txn, std::size_t count, KeyId key) const {
    bool exists = false;
    for (const Op place : history_.ops(txn).first(count)) {
      const RowOp& op = rows_.op(place);
      bool is_written = false;
      each_written(op, [&](KeyId written) { is_written = is_written || written == key; });
      if (is_written && (op.kind != RowOpKind::kDelete || exists)) {
        return true;
      }
      const bool is_read = op.kind == RowOpKind::kRead && op.row == key && op.shown_count > 0;
      const std::span<const ShownRow> shown = rows_.shown(op);
      exists = exists || is_read ||
               (op.kind == RowOpKind::kPredicateRead && !is_repeatable() &&
                std::ranges::find(shown, key, &ShownRow::row) != shown.end());
    }
    return false;
  }

  // What they find.

  /// Whether the predicate can be true, and whether it can be other than true.
  struct Possible {
    bool is_false = false;
    bool is_null = false;
    bool is_true = false;
  };

  [[nodiscard]] Possible truth(const Predicate& predicate, KeyId key, const KnownRow& row) const {
    const auto certain = [](Truth of) {
      return Possible{of == Truth::kFalse, of == Truth::kUnknown, of == Truth::kTrue};
    };
    switch (predicate.kind) {
      case Predicate::Kind::kTrue:
      case Predicate::Kind::kKeyRange:
        return certain(predicate.evaluate(history_.values(), rows_.key(key), {}));
      case Predicate::Kind::kNot: {
        const Possible inner = truth(predicate.parts.front(), key, row);
        return {inner.is_true, inner.is_null, inner.is_false};
      }
      case Predicate::Kind::kAnd: {
        Possible all = {.is_true = true};
        for (const Predicate& part : predicate.parts) {
          all = both(all, truth(part, key, row));
        }
        return all;
      }
      case Predicate::Kind::kOr: {  // by De Morgan's law
        Possible none = {.is_true = true};
        for (const Predicate& part : predicate.parts) {
          const Possible one = truth(part, key, row);
          none = both(none, {one.is_true, one.is_null, one.is_false});
        }
        return {none.is_true, none.is_null, none.is_false};
      }
      default:
        break;
    }
    const std::optional<ValueId> value = row.column(predicate.column);
    if (!value) {
      return {true, true, true};
    }
    rows::Record record;
    if (!value->is_none()) {
      record.set(predicate.column, *value);
    }
    return certain(predicate.evaluate(history_.values(), rows_.key(key), record));
  }

  static Possible both(Possible a, Possible b) {
    return {.is_false = a.is_false || b.is_false,
            .is_null = (a.is_null && (b.is_null || b.is_true)) || (b.is_null && a.is_true),
            .is_true = a.is_true && b.is_true};
  }

  static bool must_exist(const KnownRow& row) {
    return row.exists.value_or(false) || std::ranges::any_of(row.columns, [](const auto& column) {
             return !column.second.is_none();
           });
  }

  /// Whether the row cannot hold what was shown of it.
  [[nodiscard]] bool contradicts(const RowOp& op, const ShownRow& shown,
                                 const KnownRow& row) const {
    if (!row.exists.value_or(true)) {
      return true;
    }
    if (op.known == Known::kVersions) {
      return row.version && *row.version != shown.version;
    }
    return std::ranges::any_of(rows_.fields(shown), [&](const rows::Field& field) {
      const std::optional<ValueId> held = row.column(field.column);
      return held && (held->is_none() ? ValueId::nil() : *held) != field.value;
    });
  }

  /// Whether the operation cannot have found what it did, were the row like this.
  [[nodiscard]] bool is_impossible(const RowOp& op, KeyId key, const KnownRow& row) const {
    if (!op.has_predicate()) {
      if (op.row != key) {
        return false;
      }
      switch (op.kind) {
        case RowOpKind::kInsert:
          return must_exist(row);
        case RowOpKind::kUpdate:
          return !row.exists.value_or(true);
        case RowOpKind::kRead:
          return op.known != Known::kNothing &&
                 (op.shown_count == 0 ? must_exist(row)
                                      : contradicts(op, rows_.shown(op).front(), row));
        default:
          return false;
      }
    }
    const bool is_listed =
        op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys;
    if (op.first > 0 || rows_.table(key) != op.table || !(is_listed || is_empty(op))) {
      return false;
    }
    const Possible possible = truth(rows_.predicate(op), key, row);
    const std::span<const ShownRow> shown = rows_.shown(op);
    const auto found = std::ranges::find(shown, key, &ShownRow::row);
    return found == shown.end()
               ? possible.is_true && !possible.is_false && !possible.is_null && must_exist(row)
               : !possible.is_true || contradicts(op, *found, row);
  }

  // The order that is given.

  [[nodiscard]] bool precedes(TxnId a, TxnId b) const {
    const TxnId initial = history_.info().initial_txn;
    if (a == b || !history_.committed(a)) {
      return false;
    }
    if (!initial.is_none() && history_.committed(initial) && (a == initial || b == initial)) {
      return a == initial;
    }
    return (level_.sessions && history_.session(a) == history_.session(b) && a < b) ||
           (level_.real_time && history_.info().has_real_time && history_.has_invocation(b) &&
            history_.completion_id(a) < history_.invocation_id(b));
  }

  [[nodiscard]] OrderEvent start(TxnId txn) const { return {txn, !has_two_events_}; }

  // Clauses.

  [[nodiscard]] bool is_event(OrderEvent event) const {
    return event.txn.index() < history_.txn_count() &&
           history_.status(event.txn) != TxnStatus::kAborted &&
           (event.is_commit || has_two_events_);
  }

  [[nodiscard]] bool is_txn(TxnId txn) const { return is_event({txn, true}); }

  [[nodiscard]] bool is_row(KeyId row) const {
    return row.index() < history_.key_count() && !rows_.table(row).is_none();
  }

  [[nodiscard]] bool is_understood(const RowsProofStep& step) const {
    const auto is_choice = [&](const RowsChoice& choice) {
      switch (choice.kind) {
        case ChoiceKind::kBefore:
          return is_event(choice.first) && is_event(choice.second) && choice.holds &&
                 choice.first != choice.second;
        case ChoiceKind::kConcerned:
          return is_event(choice.first) && is_txn(choice.middle) && is_row(choice.row) &&
                 choice.mop < history_.ops(choice.first.txn).size();
        case ChoiceKind::kBetween:
          return (choice.first.txn.is_none() || is_event(choice.first)) &&
                 is_event(choice.second) && is_txn(choice.middle);
        default:
          return is_txn(choice.first.txn);
      }
    };
    const bool has_places =
        std::ranges::all_of(step.cycle, [&](OrderEvent event) { return is_event(event); }) &&
        std::ranges::all_of(step.causes, [&](const LastWriter& cause) {
          return is_row(cause.row) && cause.part < kFirstColumn + rows_.column_count() &&
                 (cause.writer.is_none() || is_txn(cause.writer));
        });
    const bool is_about_versions =
        step.reason == ProofReason::kVersions || step.reason == ProofReason::kVersion;
    const bool is_about_txn = is_about_versions || step.reason == ProofReason::kFound ||
                              step.reason == ProofReason::kOverlap;
    const bool is_about_two =
        step.reason == ProofReason::kOverlap || step.reason == ProofReason::kVersion;
    return has_places && std::ranges::all_of(step.clause, is_choice) &&
           (!is_about_txn || is_txn(step.txn)) && (!is_about_two || is_txn(step.other)) &&
           (!is_about_versions || (is_row(step.row) && step.mop < history_.ops(step.txn).size()));
  }

  static bool has(const RowsProofStep& step, const RowsChoice& choice) {
    return std::ranges::find(step.clause, choice) != step.clause.end();
  }

  static RowsChoice before(OrderEvent a, OrderEvent b) {
    return {.kind = ChoiceKind::kBefore, .first = a, .second = b};
  }

  static RowsChoice took_effect(TxnId txn, bool holds) {
    return {.kind = ChoiceKind::kTookEffect, .holds = holds, .first = {txn, true}};
  }

  /// Whether the clause holds where the transaction does not take effect.
  [[nodiscard]] bool leaves_out(const RowsProofStep& step, TxnId txn) const {
    return history_.committed(txn) || has(step, took_effect(txn, false));
  }

  [[nodiscard]] const char* flaw_of(const RowsProofStep& step) {
    switch (step.reason) {
      case ProofReason::kFound:
        return flaw_of_found(step);
      case ProofReason::kOverlap:
        return flaw_of_overlap(step);
      case ProofReason::kCycle:
        return flaw_of_cycle(step);
      case ProofReason::kMeaning:
        return flaw_of_meaning(step);
      case ProofReason::kVersions:
        return flaw_of_versions(step);
      case ProofReason::kVersion:
        return flaw_of_version(step);
      default:
        return is_derived(step.clause) ? nullptr : "earlier steps do not force it";
    }
  }

  const char* flaw_of_overlap(const RowsProofStep& step) const {
    if (level_.visibility != Visibility::kSnapshot || step.txn == step.other) {
      return "transactions may overlap";
    }
    if (step.row.index() >= history_.key_count() || !surely_writes(step.txn, step.row) ||
        !surely_writes(step.other, step.row)) {
      return "they do not both write the row";
    }
    const auto allows = [&](TxnId a, TxnId b) {
      return precedes(b, a) || has(step, before({a, true}, start(b)));
    };
    return allows(step.txn, step.other) && allows(step.other, step.txn) &&
                   leaves_out(step, step.txn) && leaves_out(step, step.other)
               ? nullptr
               : "it leaves out a way in which they do not overlap";
  }

  const char* flaw_of_cycle(const RowsProofStep& step) const {
    if (step.cycle.size() < 2) {
      return "there is no cycle";
    }
    for (std::size_t i = 0; i < step.cycle.size(); ++i) {
      const OrderEvent a = step.cycle[i];
      const OrderEvent b = step.cycle[(i + 1) % step.cycle.size()];
      const bool is_own = a.txn == b.txn && !a.is_commit && b.is_commit;
      if (!is_own && !precedes(a.txn, b.txn) && !has(step, before(b, a))) {
        return "an edge of the cycle is neither given nor assumed";
      }
    }
    return nullptr;
  }

  const char* flaw_of_meaning(const RowsProofStep& step) const {
    for (const RowsChoice& choice : step.clause) {
      if (choice.kind == ChoiceKind::kBetween && !choice.holds &&
          (has(step, took_effect(choice.middle, true)) ||
           has(step, before({choice.middle, true}, choice.second)) ||
           (!choice.first.txn.is_none() &&
            has(step, before(choice.first, {choice.middle, true}))))) {
        return nullptr;
      }
      if (choice.kind == ChoiceKind::kConcerned && !choice.holds &&
          (has(step, took_effect(choice.middle, true)) ||
           has(step, before({choice.middle, true}, choice.first)))) {
        return nullptr;
      }
    }
    return "that is not what the choice means";
  }

  /// With all causes the operation is impossible; and the clause names all ways in which one of
  /// them was not so.
  const char* flaw_of_found(const RowsProofStep& step) const {
    const std::span<const Op> ops = history_.ops(step.txn);
    if (step.mop >= ops.size()) {
      return "the transaction has no such operation";
    }
    const RowOp& op = rows_.op(ops[step.mop]);
    std::set<KeyId> keys;
    for (const LastWriter& cause : step.causes) {
      keys.insert(cause.row);
    }
    if (step.causes.empty()) {  // its own writes tell
      each_own_row(step, keys);
    }
    const bool is_impossible_so = std::ranges::any_of(keys, [&](KeyId key) {
      return is_impossible(op, key, as_told(step, step.txn, step.mop, key, {}));
    });
    if (is_repeatable() && op.has_predicate() && !concerns_newest(step, op, keys)) {
      return "at repeatable read a predicate may have found older versions";
    }
    if (op.has_predicate() != step.by_predicate || !is_impossible_so) {
      return "the operation may have found what it did";
    }
    if (!leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    for (const LastWriter& cause : step.causes) {
      if (has_two_events_ && !std::ranges::all_of(writers_of(cause.row), [&](TxnId txn) {
            return surely_writes(txn, cause.row);
          })) {
        return "a transaction may have deleted nothing";
      }
      const auto is_no_better = [&](TxnId other) {
        return step.causes.size() == 1 &&
               is_impossible(op, cause.row, as_told(step, step.txn, step.mop, cause.row, other));
      };
      if (const char* flaw = flaw_of_cause(step, step.txn, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  /// Whether the operation concerns what the rows are where its transaction reads, at repeatable
  /// read: the transaction has written them itself, or the operation changes one, which must exist.
  [[nodiscard]] bool concerns_newest(const RowsProofStep& step, const RowOp& op,
                                     const std::set<KeyId>& keys) const {
    const auto is_own = [&](KeyId key) { return surely_writes(step.txn, step.mop, key); };
    const auto is_untouched = [&](KeyId key) {  // and nothing is known of it
      const KnownRow own = carried_out(step.txn, step.mop, key, {});
      return step.causes.empty() && !own.version;
    };
    if (std::ranges::all_of(keys, [&](KeyId key) { return is_own(key) || is_untouched(key); })) {
      return true;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    return !op.is_read() && step.causes.size() == 1 && step.causes.front().part == kRowExistence &&
           std::ranges::find(shown, step.causes.front().row, &ShownRow::row) != shown.end();
  }

  // Repeatable read: what a predicate may have concerned.

  /// Whether the operation is one that may concern any version that the row had.
  [[nodiscard]] bool concerns_any(const RowsProofStep& step) const {
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    return is_repeatable() && op.has_predicate() && step.by_predicate &&
           !carried_out(step.txn, step.mop, step.row, {}).version;
  }

  [[nodiscard]] static RowsChoice concerned(const RowsProofStep& step, TxnId writer, bool holds) {
    return {.kind = ChoiceKind::kConcerned,
            .holds = holds,
            .first = {step.txn, true},
            .middle = writer,
            .row = step.row,
            .mop = step.mop};
  }

  /// The row as it was when all had begun: unborn, or as the initial transaction made it.
  [[nodiscard]] KnownRow first_version(KeyId key) const {
    const TxnId initial = history_.info().initial_txn;
    KnownRow row = left_by(TxnId::none(), key);
    return initial.is_none() || !history_.committed(initial)
               ? row
               : carried_out(initial, history_.ops(initial).size(), key, std::move(row));
  }

  /// Of all that may have left the row as it was found, the clause leaves out none.
  const char* flaw_of_versions(const RowsProofStep& step) const {
    if (!concerns_any(step)) {
      return "the operation concerns what is there";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    if (!is_impossible(op, step.row, first_version(step.row))) {
      return "the operation may have concerned the first version of the row";
    }
    if (!leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    for (const TxnId writer : writers_of(step.row)) {
      const bool is_first = writer == history_.info().initial_txn && history_.committed(writer);
      if (writer == step.txn || is_first || precedes(step.txn, writer) ||
          is_impossible(op, step.row, left_by(writer, step.row)) ||
          has(step, concerned(step, writer, true)) ||
          has(step, before({writer, true}, {step.txn, true})) ||
          has(step, took_effect(writer, true))) {
        continue;
      }
      return "the operation may have concerned another version";
    }
    return nullptr;
  }

  /// With all causes the operation cannot have concerned what `other` left; and the clause names
  /// all ways in which one of them was not so.
  const char* flaw_of_version(const RowsProofStep& step) const {
    if (!concerns_any(step) || step.other == step.txn) {
      return "the operation concerns what is there";
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const std::size_t all = history_.ops(step.other).size();
    const bool is_of_row = std::ranges::all_of(
        step.causes, [&](const LastWriter& cause) { return cause.row == step.row; });
    if (!is_of_row || !is_impossible(op, step.row, as_told(step, step.other, all, step.row, {}))) {
      return "the operation may have concerned the version";
    }
    if (!has(step, concerned(step, step.other, false))) {
      return "nothing says that it concerned the version";
    }
    for (const LastWriter& cause : step.causes) {
      const auto is_no_better = [&](TxnId other) {
        return other == step.txn ||  // which comes later
               (step.causes.size() == 1 &&
                is_impossible(op, step.row, as_told(step, step.other, all, step.row, other)));
      };
      if (const char* flaw = flaw_of_cause(step, step.other, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  void each_own_row(const RowsProofStep& step, std::set<KeyId>& keys) const {
    for (const Op place : history_.ops(step.txn).first(step.mop + 1)) {
      const RowOp& op = rows_.op(place);
      each_written(op, [&](KeyId row) { keys.insert(row); });
      if (!op.has_predicate()) {
        keys.insert(op.row);
      }
      for (const ShownRow& shown : rows_.shown(op)) {
        keys.insert(shown.row);
      }
    }
    keys.erase(KeyId::none());
  }

  [[nodiscard]] std::span<const TxnId> writers_of(KeyId row) const {
    const auto found = writers_.find(row);
    return found == writers_.end() ? std::span<const TxnId>() : std::span(found->second);
  }

  /// The row after the first `count` operations of `own`, as the causes and these tell; `other`
  /// wrote the only cause's part last, if it is given.
  [[nodiscard]] KnownRow as_told(const RowsProofStep& step, TxnId own, std::size_t count, KeyId key,
                                 std::optional<TxnId> other) const {
    KnownRow row;
    for (const LastWriter& cause : step.causes) {
      if (cause.row != key) {
        continue;
      }
      const KnownRow left = left_by(other.value_or(cause.writer), key);
      if (cause.part == kRowExistence) {
        row.exists = left.exists;
      } else if (cause.part == kRowVersion) {
        row.version = left.version;
      } else if (const auto value = left.column(rows::ColumnId{cause.part - kFirstColumn})) {
        row.columns[rows::ColumnId{cause.part - kFirstColumn}] = *value;
      }
    }
    return carried_out(own, count, key, std::move(row));
  }

  /// Whether the clause leaves out a way in which the cause was not the last before `reader`;
  /// `is_no_better` tells of whom it would make no difference.
  template <class NoBetter>
  const char* flaw_of_cause(const RowsProofStep& step, TxnId reader, const LastWriter& cause,
                            NoBetter is_no_better) const {
    const TxnId writer = cause.writer;
    if (!writer.is_none()) {
      if (writer == reader || !writes(writer, cause.row, cause.part)) {
        return "a transaction does not write what it is said to have written last";
      }
      if (!leaves_out(step, writer)) {
        return "the writer may not have taken effect";
      }
      if (!precedes(writer, reader) && !has(step, before(start(reader), {writer, true}))) {
        return "the writer may come later";
      }
    }
    for (const TxnId other : writers_of(cause.row)) {
      if (other == reader || other == writer || !writes(other, cause.row, cause.part) ||
          precedes(reader, other) || (!writer.is_none() && precedes(other, writer))) {
        continue;
      }
      if (!is_no_better(other) && !has_between(step, reader, writer, other)) {
        return "another transaction may have written the row in between";
      }
    }
    return nullptr;
  }

  /// Whether the clause holds where `other` comes between the writer and the reader.
  [[nodiscard]] bool has_between(const RowsProofStep& step, TxnId reader, TxnId writer,
                                 TxnId other) const {
    const OrderEvent reading = start(reader);
    if (has(step, before({other, true}, reading)) || has(step, took_effect(other, true)) ||
        (!writer.is_none() && has(step, before({writer, true}, {other, true})))) {
      return true;  // each of these is implied
    }
    return std::ranges::any_of(step.clause, [&](const RowsChoice& choice) {
      return choice.kind == ChoiceKind::kBetween && choice.holds && choice.first.txn == writer &&
             choice.middle == other && choice.second == reading;
    });
  }

  // Unit propagation.

  Literal literal_of(const RowsChoice& choice) {
    const auto code = [](OrderEvent event) { return std::pair(event.txn.value, event.is_commit); };
    RowsChoice about = choice;
    bool holds = choice.holds;
    if (choice.kind == ChoiceKind::kBefore && code(choice.second) < code(choice.first)) {
      std::swap(about.first, about.second);
      holds = false;
    }
    const auto key = std::tuple(about.kind, code(about.first), code(about.second),
                                about.middle.value, about.row.value, about.mop);
    return {variables_.emplace(key, variables_.size()).first->second, holds};
  }

  void add(const std::vector<RowsChoice>& clause) {
    std::vector<Literal> literals;
    for (const RowsChoice& choice : clause) {
      literals.push_back(literal_of(choice));
      const std::size_t code = 2 * literals.back().first + (literals.back().second ? 1 : 0);
      occurs_.resize(std::max(occurs_.size(), 2 * variables_.size() + 2));
      occurs_[code].push_back(clauses_.size());
    }
    clauses_.push_back(std::move(literals));
  }

  /// Whether assuming the contrary of the clause leads to a contradiction by unit propagation.
  bool is_derived(const std::vector<RowsChoice>& clause) {
    std::map<std::size_t, bool> values;
    std::vector<Literal> queue;
    bool has_conflict = false;
    const auto assume = [&](Literal literal) {
      const auto [known, is_new] = values.emplace(literal);
      has_conflict = has_conflict || known->second != literal.second;
      if (is_new) {
        queue.push_back(literal);
      }
    };
    const auto look = [&](const std::vector<Literal>& literals) {
      const Literal* open = nullptr;
      for (const Literal& literal : literals) {
        const auto known = values.find(literal.first);
        if (known == values.end()) {
          if (open != nullptr) {
            return;
          }
          open = &literal;
        } else if (known->second == literal.second) {
          return;
        }
      }
      if (open == nullptr) {
        has_conflict = true;
      } else {
        assume(*open);
      }
    };
    for (const RowsChoice& choice : clause) {
      const Literal literal = literal_of(choice);
      assume({literal.first, !literal.second});
    }
    for (const std::vector<Literal>& literals : clauses_) {
      if (literals.size() <= 1) {
        look(literals);
      }
    }
    occurs_.resize(std::max(occurs_.size(), 2 * variables_.size() + 2));
    for (std::size_t next = 0; next < queue.size() && !has_conflict; ++next) {
      const auto [variable, holds] = queue[next];
      const std::vector<std::size_t>& broken = occurs_[2 * variable + (holds ? 0 : 1)];
      for (std::size_t i = 0; i < broken.size() && !has_conflict; ++i) {
        look(clauses_[broken[i]]);
      }
    }
    return has_conflict;
  }

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  bool has_two_events_;
  const RowsProofEvidence& evidence_;
  std::map<KeyId, std::vector<TxnId>> writers_;
  using VariableKey =
      std::tuple<ChoiceKind, std::pair<std::uint32_t, bool>, std::pair<std::uint32_t, bool>,
                 std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<VariableKey, std::size_t> variables_;
  std::vector<std::vector<Literal>> clauses_;
  std::vector<std::vector<std::size_t>> occurs_;  // clauses by literal
};

}  // namespace

std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                            const RowsProofEvidence& evidence) {
  const auto level = order_level(evidence.model);
  const bool is_decided = level && (level->visibility == Visibility::kSerial ||
                                    level->visibility == Visibility::kSnapshot);
  if (!is_decided || !history.info().rows) {
    return "no order of transactions on rows defines the level";
  }
  if (auto flaw = RowsProofCheck(history, *level, evidence).check()) {
    return flaw;
  }
  const auto actual = class_of_proof(history, evidence);
  const bool is_exists_type = name(type).find("cycle-exists") != std::string_view::npos;
  return is_exists_type || actual == type
             ? std::nullopt
             : std::optional<std::string>("the cycle is of another class");
}

std::optional<AnomalyType> class_of_proof(const History& history,
                                          const RowsProofEvidence& evidence) {
  const std::vector<RowsCycleEdge> cycle = plain_cycle(evidence);
  for (const RowsProofStep& step : evidence.steps) {
    if (step.reason != ProofReason::kFound || !step.clause.empty()) {
      continue;
    }
    if (step.causes.empty()) {
      return AnomalyType::kInternal;
    }
    // Nothing but what the row held from the beginning, or what nobody else could change.
    const LastWriter& cause = step.causes.front();
    const rows::Rows& rows = *history.info().rows;
    const auto shown = rows.shown(rows.op(history.ops(step.txn)[step.mop]));
    const bool is_shown = std::ranges::find(shown, cause.row, &ShownRow::row) != shown.end();
    if (step.by_predicate && !is_shown && cause.writer == history.info().initial_txn) {
      return AnomalyType::kPredicateReadMiss;
    }
  }
  if (cycle.empty()) {
    return std::nullopt;
  }
  const bool has_sessions = order_level(evidence.model)->sessions;
  bool has_process = false;
  bool has_real_time = false;
  for (const RowsCycleEdge& edge : cycle) {
    if (edge.shown_by == nullptr && edge.from.txn != history.info().initial_txn) {
      const bool in_session = has_sessions && edge.from.txn < edge.to.txn &&
                              history.session(edge.from.txn) == history.session(edge.to.txn);
      has_process = has_process || in_session;
      has_real_time = has_real_time || !in_session;
    }
  }
  return class_of_cycle(cycle, has_process, has_real_time);
}

}  // namespace elapid
