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
  /// none() where a column is missing, nothing where it may hold anything.
  std::map<rows::ColumnId, std::optional<ValueId>> columns = {};
  bool has_all_columns = false;  ///< those not named are missing

  [[nodiscard]] std::optional<ValueId> column(rows::ColumnId column) const {
    const auto found = columns.find(column);
    return found != columns.end() ? found->second
           : has_all_columns      ? std::optional(ValueId::none())
                                  : std::nullopt;
  }
};

/// Parts of a row by number, a bit each.
using PartBits = std::uint64_t;

/// What operations make of what is known of a row, and what of it they surely write, or perhaps.
struct CarriedOut {
  KnownRow row = {};
  PartBits sure = 0;
  PartBits maybe = 0;
};

class RowsProofCheck {
 public:
  RowsProofCheck(const History& history, OrderLevel level, const RowsProofEvidence& evidence)
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        has_two_events_(has_two_events(level.visibility)),
        evidence_(evidence) {}

  /// The name of an operation that found what no transaction that took effect can have left, of one
  /// row: G1a or G1b if an aborted transaction made it or one in passing, or a garbage read of a
  /// row that it was shown.
  [[nodiscard]] std::optional<AnomalyType> dirty_class(const RowsProofStep& step) {
    if (check_operations() || (step.row.is_none() && step.causes.empty()) ||
        step.mop >= history_.ops(step.txn).size()) {
      return std::nullopt;
    }
    const RowOp& op = rows_.op(history_.ops(step.txn)[step.mop]);
    const KeyId row = step.row.is_none() ? step.causes.front().row : step.row;
    const bool lists = !op.has_predicate() || is_listed(op) || is_empty(op);
    if (!lists || carried_out(step.txn, step.mop, row, {}).maybe != 0 ||
        !is_impossible(op, row, first_version(row))) {
      return std::nullopt;
    }
    for (const TxnId writer : writers_of(row)) {
      if (writer != step.txn && !is_impossible(op, row, left_by(writer, row))) {
        return std::nullopt;
      }
    }
    const auto made = [&](bool is_aborted) {
      for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
        if (txn == step.txn || (history_.status(txn) == TxnStatus::kAborted) != is_aborted) {
          continue;
        }
        for (std::size_t count = 1; count <= history_.ops(txn).size(); ++count) {
          const CarriedOut now = carried_out(txn, count, row, {});
          if (now.sure != 0 && !is_impossible(op, row, now.row)) {
            return true;
          }
        }
      }
      return false;
    };
    const std::span<const ShownRow> shown = rows_.shown(op);
    const bool is_shown = std::ranges::find(shown, row, &ShownRow::row) != shown.end();
    return made(true)    ? std::optional(AnomalyType::kG1a)
           : made(false) ? std::optional(AnomalyType::kG1b)
           : is_shown    ? std::optional(AnomalyType::kGarbageRead)
                         : std::nullopt;
  }

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

  /// Causes of causes beyond this tell nothing.
  static constexpr std::size_t kMostDepth = 2000;

  // What transactions do.

  /// Who may write which rows. Nothing may be limited of what a predicate wrote.
  std::optional<std::string> check_operations() {
    if (kFirstColumn + rows_.column_count() > 63) {
      return "rows have too many columns";
    }
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      if (history_.status(txn) == TxnStatus::kAborted) {
        continue;
      }
      for (const Op place : history_.ops(txn)) {
        const RowOp& op = rows_.op(place);
        if (is_unnamed(op)) {
          if (op.first > 0 || is_repeatable()) {
            return "a predicate wrote rows that are not named";
          }
          unnamed_.emplace_back(txn, op.table);
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

  static bool is_listed(const RowOp& op) {
    return op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys;
  }

  /// Whether a predicate wrote rows of which nobody recorded which.
  static bool is_unnamed(const RowOp& op) {
    return op.kind > RowOpKind::kPredicateRead && !is_listed(op) && !is_empty(op);
  }

  /// Whether predicates may have concerned versions that there were before.
  [[nodiscard]] bool is_repeatable() const {
    return evidence_.model == Model::kPl299 || is_read_committed();
  }

  /// Whether reads of single rows may have, too.
  [[nodiscard]] bool is_read_committed() const { return evidence_.model == Model::kPl2; }

  [[nodiscard]] bool may_be_old(const RowOp& op) const {
    return op.has_predicate() ? is_repeatable()
                              : is_read_committed() && op.kind == RowOpKind::kRead;
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

  [[nodiscard]] static PartBits bit(std::uint32_t part) { return PartBits{1} << part; }

  [[nodiscard]] PartBits all_parts() const {
    return bit(kFirstColumn + static_cast<std::uint32_t>(rows_.column_count())) - 1;
  }

  [[nodiscard]] PartBits parts_written(const RowOp& op) const {
    if (deletes(op) || op.kind == RowOpKind::kInsert) {
      return all_parts();
    }
    PartBits parts = bit(kRowVersion) | (op.kind == RowOpKind::kPut ? bit(kRowExistence) : 0);
    for (const rows::Field& field : rows_.written(op)) {
      parts |= bit(kFirstColumn + field.column.value);
    }
    return parts;
  }

  /// What the operation makes of a row that it writes.
  void change(const RowOp& op, KnownRow& row) const {
    if (deletes(op)) {
      row = {.exists = false, .version = ValueId::nil(), .columns = {}, .has_all_columns = true};
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
  }

  /// The row may have been written, or not.
  void blur(const RowOp& op, KnownRow& row) const {
    if (deletes(op)) {
      row = {};
      return;
    }
    row.version = std::nullopt;
    for (const rows::Field& field : rows_.written(op)) {
      row.columns[field.column] = std::nullopt;
    }
  }

  /// Whether a delete is to be told from none: in series nobody can.
  [[nodiscard]] bool deletes_may_miss() const { return has_two_events_ || is_repeatable(); }

  /// Whether the operation tells that the row is there where it reads, or afterwards.
  [[nodiscard]] bool shows_existence(const RowOp& op, KeyId key) const {
    if (!op.has_predicate()) {
      return op.row == key && op.kind != RowOpKind::kDelete &&
             (op.kind != RowOpKind::kRead || (!is_read_committed() && op.shown_count > 0));
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    const bool tells = op.kind == RowOpKind::kPredicateUpdate ||
                       (op.kind == RowOpKind::kPredicateRead && !is_repeatable());
    return tells && op.known != Known::kBag &&
           std::ranges::find(shown, key, &ShownRow::row) != shown.end();
  }

  /// What the transaction's first `count` operations make of a row of which `row` is known.
  [[nodiscard]] CarriedOut carried_out(TxnId txn, std::size_t count, KeyId key,
                                       KnownRow row) const {
    CarriedOut result = {.row = std::move(row)};
    bool is_there = false;
    for (const Op place : history_.ops(txn).first(count)) {
      const RowOp& op = rows_.op(place);
      bool is_named = false;
      each_written(op, [&](KeyId written) { is_named = is_named || written == key; });
      Certain writes = is_named ? Certain::kYes : Certain::kNo;
      if (is_unnamed(op) && rows_.table(key) == op.table) {
        writes = matches(op, key, result.row);
      } else if (is_named && op.kind == RowOpKind::kDelete && deletes_may_miss() && !is_there) {
        writes = must_exist(result.row)             ? Certain::kYes
                 : result.row.exists.value_or(true) ? Certain::kMaybe
                                                    : Certain::kNo;
      }
      if (writes == Certain::kYes) {
        result.sure |= parts_written(op);
        change(op, result.row);
      } else if (writes == Certain::kMaybe) {
        blur(op, result.row);
      }
      if (writes != Certain::kNo) {
        result.maybe |= parts_written(op);
        is_there = is_there && !deletes(op);
      }
      is_there = is_there || shows_existence(op, key);
    }
    return result;
  }

  static KnownRow unborn() {
    return {.exists = false, .version = ValueId::nil(), .columns = {}, .has_all_columns = true};
  }

  /// What a transaction leaves, whatever it found.
  [[nodiscard]] KnownRow left_by(TxnId txn, KeyId key) const {
    return txn.is_none() ? unborn() : carried_out(txn, history_.ops(txn).size(), key, {}).row;
  }

  /// All that the transaction may leave of the part, if it writes it, each as all that is known of
  /// the row.
  [[nodiscard]] std::vector<KnownRow> may_leave(TxnId txn, KeyId key, std::uint32_t part) const {
    std::vector<KnownRow> all;
    bool is_there = false;
    for (const Op place : history_.ops(txn)) {
      const RowOp& op = rows_.op(place);
      bool is_named = false;
      each_written(op, [&](KeyId written) { is_named = is_named || written == key; });
      const bool may_write = is_named || (is_unnamed(op) && rows_.table(key) == op.table &&
                                          matches(op, key, {}) != Certain::kNo);
      if (may_write && (parts_written(op) & bit(part)) != 0) {
        KnownRow made;
        change(op, made);
        if (is_named && (op.kind != RowOpKind::kDelete || !deletes_may_miss() || is_there)) {
          all.clear();  // what came before is overwritten
        }
        all.emplace_back();
        put_part(all.back(), made, part);
      }
      is_there = (is_there && !(may_write && deletes(op))) || shows_existence(op, key);
    }
    return all;
  }

  /// Takes what is known of one part over.
  static void put_part(KnownRow& row, const KnownRow& from, std::uint32_t part) {
    if (part == kRowExistence) {
      row.exists = from.exists;
    } else if (part == kRowVersion) {
      row.version = from.version;
    } else if (const auto value = from.column(rows::ColumnId{part - kFirstColumn})) {
      row.columns[rows::ColumnId{part - kFirstColumn}] = *value;
    }
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
             return column.second && !column.second->is_none();
           });
  }

  enum class Certain : std::uint8_t { kNo, kMaybe, kYes };

  /// Whether the operation's predicate matches the row.
  [[nodiscard]] Certain matches(const RowOp& op, KeyId key, const KnownRow& row) const {
    const Possible possible = truth(rows_.predicate(op), key, row);
    if (!possible.is_true || (!row.exists.value_or(true) && !must_exist(row))) {
      return Certain::kNo;
    }
    return possible.is_false || possible.is_null || !must_exist(row) ? Certain::kMaybe
                                                                     : Certain::kYes;
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
    if (rows_.table(key) != op.table || !(is_listed(op) || is_empty(op))) {
      return false;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    const auto found = std::ranges::find(shown, key, &ShownRow::row);
    const Certain match = matches(op, key, row);
    return found == shown.end() ? match == Certain::kYes && !is_beyond(op, key)
                                : match == Certain::kNo || contradicts(op, *found, row);
  }

  [[nodiscard]] std::int64_t number(KeyId row) const {
    return history_.values().as_integer(rows_.key(row)).value_or(0);
  }

  /// Whether the row comes after all that were asked for.
  [[nodiscard]] bool is_beyond(const RowOp& op, KeyId key) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    return op.first > 0 && shown.size() == op.first &&
           std::ranges::all_of(shown,
                               [&](const ShownRow& row) { return number(row.row) < number(key); });
  }

  /// Whether a result without keys cannot have been found, as `known(row)` tells of the rows.
  template <class KnownOf>
  [[nodiscard]] bool is_miscounted(const RowOp& op, KnownOf known) const {
    if (!op.has_predicate() || is_listed(op) || is_empty(op) || op.known == Known::kNothing) {
      return false;
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    const std::size_t expected = op.known == Known::kBag ? shown.size() : op.count;
    std::vector<KeyId> rows;
    for (KeyId row{0}; row.index() < history_.key_count(); ++row.value) {
      if (rows_.table(row) == op.table) {
        rows.push_back(row);
      }
    }
    std::size_t sure = 0;
    std::size_t possible = 0;
    std::vector<std::size_t> holders(shown.size(), 0);  // rows that may hold what is shown
    for (const KeyId row : rows) {
      const KnownRow now = known(row);
      const Certain match = matches(op, row, now);
      sure += match == Certain::kYes ? 1U : 0U;
      possible += match == Certain::kNo ? 0U : 1U;
      for (std::size_t i = 0; i < shown.size() && match != Certain::kNo; ++i) {
        holders[i] += contradicts(op, shown[i], now) ? 0U : 1U;
      }
    }
    const bool is_all = op.first == 0 || expected < op.first;
    if (possible < expected || (is_all && op.known != Known::kAny && sure > expected)) {
      return true;
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const auto same = static_cast<std::size_t>(std::ranges::count_if(
          shown, [&](const ShownRow& other) { return values(other) == values(shown[i]); }));
      if (holders[i] < same) {
        return true;
      }
    }
    return op.known == Known::kBag && !is_all && is_other_beginning(op, rows, known);
  }

  [[nodiscard]] std::vector<ValueId> values(const ShownRow& row) const {
    std::vector<ValueId> all;
    for (const rows::Field& field : rows_.fields(row)) {
      all.push_back(field.value);
    }
    return all;
  }

  /// Whether the first rows that match, as many as were asked for, are known, and others than those
  /// shown.
  template <class KnownOf>
  [[nodiscard]] bool is_other_beginning(const RowOp& op, std::vector<KeyId> rows,
                                        KnownOf known) const {
    std::ranges::sort(rows, {}, [&](KeyId row) { return number(row); });
    const std::span<const ShownRow> shown = rows_.shown(op);
    std::vector<std::vector<ValueId>> found;
    std::vector<std::vector<ValueId>> expected;
    for (const ShownRow& row : shown) {
      expected.push_back(values(row));
    }
    for (const KeyId row : rows) {
      const KnownRow now = known(row);
      const Certain match = matches(op, row, now);
      if (match == Certain::kNo || found.size() == op.first) {
        continue;
      }
      std::vector<ValueId>& all = found.emplace_back();
      for (const rows::Field& field : rows_.fields(shown.front())) {
        const std::optional<ValueId> value = now.column(field.column);
        if (!value || match == Certain::kMaybe) {
          return false;
        }
        all.push_back(value->is_none() ? ValueId::nil() : *value);
      }
      if (match == Certain::kMaybe) {
        return false;
      }
    }
    std::ranges::sort(found);
    std::ranges::sort(expected);
    return found.size() == op.first && found != expected;
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
                 (cause.writer.is_none() || is_txn(cause.writer)) && is_txn(cause.reader);
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
    if (!is_row(step.row) || after(step, step.txn, step.row).sure == 0 ||
        after(step, step.other, step.row).sure == 0) {
      return "they do not both write the row";
    }
    for (const LastWriter& cause : step.causes) {
      if (const char* flaw = flaw_of_cause(step, cause, [](TxnId) { return false; })) {
        return flaw;
      }
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
    if (may_be_old(op) && !concerns_newest(step, op, keys)) {
      return "at this level the operation may have found older versions";
    }
    const auto known = [&](KeyId key) {
      return carried_out(step.txn, step.mop, key, before_txn(step, step.txn, key)).row;
    };
    const bool is_impossible_so =
        std::ranges::any_of(keys, [&](KeyId key) { return is_impossible(op, key, known(key)); }) ||
        (!is_repeatable() && is_miscounted(op, known));
    if (op.has_predicate() != step.by_predicate || !is_impossible_so) {
      return "the operation may have found what it did";
    }
    if (!leaves_out(step, step.txn)) {
      return "the transaction may not have taken effect";
    }
    for (const LastWriter& cause : step.causes) {
      const auto is_no_better = [&](TxnId other) {
        return step.causes.size() == 1 && cause.reader == step.txn &&
               std::ranges::all_of(
                   may_leave(other, cause.row, cause.part), [&](const KnownRow& made) {
                     return is_impossible(op, cause.row,
                                          carried_out(step.txn, step.mop, cause.row, made).row);
                   });
      };
      if (const char* flaw = flaw_of_cause(step, cause, is_no_better)) {
        return flaw;
      }
    }
    return nullptr;
  }

  /// Whether the operation concerns what the rows are where its transaction reads, at repeatable
  /// read: the transaction has written them itself, or the operation changes one, which must exist.
  [[nodiscard]] bool concerns_newest(const RowsProofStep& step, const RowOp& op,
                                     const std::set<KeyId>& keys) const {
    const auto is_own = [&](KeyId key) {
      return carried_out(step.txn, step.mop, key, {}).sure != 0;
    };
    const auto is_untouched = [&](KeyId key) {  // and nothing is known of it
      return step.causes.empty() && carried_out(step.txn, step.mop, key, {}).maybe == 0;
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
    return may_be_old(op) && step.by_predicate == op.has_predicate() &&
           carried_out(step.txn, step.mop, step.row, {}).maybe == 0;
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
    return initial.is_none() || !history_.committed(initial)
               ? unborn()
               : carried_out(initial, history_.ops(initial).size(), key, unborn()).row;
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
    const bool is_of_row = std::ranges::all_of(step.causes, [&](const LastWriter& cause) {
      return cause.row == step.row && cause.reader == step.other;
    });
    if (!is_of_row || !is_impossible(op, step.row, after(step, step.other, step.row).row)) {
      return "the operation may have concerned the version";
    }
    if (!has(step, concerned(step, step.other, false))) {
      return "nothing says that it concerned the version";
    }
    for (const LastWriter& cause : step.causes) {
      const auto is_no_better = [&](TxnId other) {
        return other == step.txn ||  // which comes later
               (step.causes.size() == 1 &&
                std::ranges::all_of(
                    may_leave(other, step.row, cause.part), [&](const KnownRow& made) {
                      const std::size_t all = history_.ops(step.other).size();
                      return is_impossible(op, step.row,
                                           carried_out(step.other, all, step.row, made).row);
                    }));
      };
      if (const char* flaw = flaw_of_cause(step, cause, is_no_better)) {
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

  /// Who may write the row.
  [[nodiscard]] std::vector<TxnId> writers_of(KeyId row) const {
    const auto found = writers_.find(row);
    std::vector<TxnId> all = found == writers_.end() ? std::vector<TxnId>() : found->second;
    for (const auto& [txn, table] : unnamed_) {
      if (rows_.table(row) == table) {
        all.push_back(txn);
      }
    }
    return all;
  }

  /// The row where the transaction reads, as the causes tell. A chain of causes that comes back to
  /// where it began tells nothing.
  [[nodiscard]] KnownRow before_txn(const RowsProofStep& step, TxnId reader, KeyId key) const {
    KnownRow row;
    for (const LastWriter& cause : step.causes) {
      if (cause.row == key && cause.reader == reader) {
        put_part(row, cause.writer.is_none() ? unborn() : after(step, cause.writer, key).row,
                 cause.part);
      }
    }
    return row;
  }

  /// The row when the transaction has committed, as the causes tell.
  [[nodiscard]] CarriedOut after(const RowsProofStep& step, TxnId txn, KeyId key) const {
    if (memo_of_ != &step) {
      memo_.clear();
      memo_of_ = &step;
    }
    const auto [known, is_new] = memo_.try_emplace({txn, key});
    const std::size_t count = history_.ops(txn).size();
    if (!is_new) {
      return known->second ? *known->second : carried_out(txn, count, key, {});
    }
    if (depth_ == kMostDepth) {
      return carried_out(txn, count, key, {});
    }
    ++depth_;
    CarriedOut result = carried_out(txn, count, key, before_txn(step, txn, key));
    --depth_;
    memo_[{txn, key}] = result;
    return result;
  }

  /// Whether the clause leaves out a way in which the cause was not the last before its reader;
  /// `is_no_better` tells of whom it would make no difference.
  template <class NoBetter>
  const char* flaw_of_cause(const RowsProofStep& step, const LastWriter& cause,
                            NoBetter is_no_better) const {
    const TxnId writer = cause.writer;
    const TxnId reader = cause.reader;
    if (!writer.is_none()) {
      if (writer == reader || (after(step, writer, cause.row).sure & bit(cause.part)) == 0) {
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
      if (other == reader || other == writer ||
          (after(step, other, cause.row).maybe & bit(cause.part)) == 0 || precedes(reader, other) ||
          (!writer.is_none() && precedes(other, writer))) {
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
    if (literals.size() <= 1) {
      units_.push_back(clauses_.size());
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
    for (const std::size_t unit : units_) {
      look(clauses_[unit]);
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
  std::map<KeyId, std::vector<TxnId>> writers_;           // of named rows
  std::vector<std::pair<TxnId, rows::TableId>> unnamed_;  // who writes rows that are not named
  // What the causes of one step tell of what transactions leave; nothing: that is being found out.
  mutable std::map<std::pair<TxnId, KeyId>, std::optional<CarriedOut>> memo_;
  mutable const RowsProofStep* memo_of_ = nullptr;
  mutable std::size_t depth_ = 0;
  using VariableKey =
      std::tuple<ChoiceKind, std::pair<std::uint32_t, bool>, std::pair<std::uint32_t, bool>,
                 std::uint32_t, std::uint32_t, std::uint32_t>;
  std::map<VariableKey, std::size_t> variables_;
  std::vector<std::vector<Literal>> clauses_;
  std::vector<std::size_t> units_;                // clauses of at most one literal
  std::vector<std::vector<std::size_t>> occurs_;  // clauses by literal
};

}  // namespace

std::optional<std::string> check_rows_proof(const History& history, AnomalyType type,
                                            const RowsProofEvidence& evidence) {
  // Read committed: in series, with reads of whatever was there.
  const auto level = evidence.model == Model::kPl2
                         ? std::optional(OrderLevel{Visibility::kSerial, false, false})
                         : order_level(evidence.model);
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
    const bool is_fact =
        step.reason == ProofReason::kFound || step.reason == ProofReason::kVersions;
    if (!is_fact || !step.clause.empty()) {
      continue;
    }
    if (const auto type = RowsProofCheck(history, {}, evidence).dirty_class(step)) {
      return type;
    }
    if (step.reason == ProofReason::kVersions) {
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
  if (evidence.model == Model::kPl2) {
    return std::ranges::any_of(cycle,
                               [](const RowsCycleEdge& edge) {
                                 return edge.shown_by != nullptr && edge.relation == Relation::kWr;
                               })
               ? AnomalyType::kG1c
               : AnomalyType::kG0;
  }
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
