#include "engine/certify/rows/rows_witness.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/certify/operations/matching.h"
#include "engine/certify/operations/operations.h"
#include "engine/certify/rows/live_rows.h"
#include "engine/certify/rows/rows_known.h"
#include "engine/rows/rows.h"
#include "engine/verdict/rows_evidence.h"

namespace elapid {

namespace {

using certify::LiveRow;
using certify::LiveRows;
using rows::ColumnId;
using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

/// What a transaction makes of rows; nothing: it is gone.
using RowChanges = std::map<KeyId, std::optional<LiveRow>>;

class RowsReplay {
 public:
  RowsReplay(const History& history, OrderLevel level, const Witness& witness,
             std::optional<Model> of_old_versions = {})
      : history_(history),
        rows_(*history.info().rows),
        level_(level),
        witness_(witness),
        live_(history, of_old_versions.has_value(), witness.beginning),
        is_repeatable_(of_old_versions.has_value()),
        is_read_committed_(of_old_versions == Model::kPl2),
        begun_(history.txn_count(), kNever),
        committed_(history.txn_count(), kNever) {
    for (const TakenRow& one : witness.taken) {
      taken_[{one.txn, one.mop}].insert(one.row);
    }
  }

  std::optional<std::string> check() {
    if (auto flaw = begin()) {
      return flaw;
    }
    for (std::size_t at = 0; at < witness_.order.size(); ++at) {
      if (auto flaw = carry_out(witness_.order[at], at)) {
        return flaw;
      }
    }
    if (!pending_.empty()) {
      return name(pending_.begin()->first) + " starts and does not commit";
    }
    auto flaw = check_members();
    return flaw ? flaw : check_orders();
  }

 private:
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  static constexpr std::size_t kAhead = 8;  // rows shown, whose contents are brought nearer

  /// What an open universe begins with: anything, of rows of tables and columns that there are.
  std::optional<std::string> begin() {
    RowChanges first;
    for (const PartAtFirst& part : witness_.beginning) {
      const bool is_row =
          part.row.index() < history_.key_count() && !rows_.table(part.row).is_none();
      if (!is_row || rows_.is_closed()) {
        return "what it begins with is no row of an open universe";
      }
      std::optional<LiveRow>& row = first[part.row];
      if (part.part == kRowExistence && part.value == ValueId::integer(1) && !row) {
        row = LiveRow();
      } else if (part.part < kFirstColumn || !row ||
                 part.part >= kFirstColumn + rows_.column_count() || part.value.is_none()) {
        return "what it begins with is no content of a row";
      } else {
        row->record.set(ColumnId{part.part - kFirstColumn}, part.value);
      }
    }
    for (auto& [row, content] : first) {
      live_.set(row, std::move(content));
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string name(TxnId txn) const { return certify::txn_text(history_, txn); }

  std::optional<std::string> carry_out(OrderEvent event, std::size_t at) {
    const TxnId txn = event.txn;
    if (txn.index() >= history_.txn_count()) {
      return "the order names a transaction that does not exist";
    }
    const bool has_two_events = level_.visibility != Visibility::kSerial;
    if (!event.is_commit || !has_two_events) {
      if (!event.is_commit && !has_two_events) {
        return "at this level transactions have one event";
      }
      if (begun_[txn.index()] != kNever) {
        return name(txn) + " is in the order twice";
      }
      begun_[txn.index()] = at;
      RowChanges changes;
      if (auto flaw = run(txn, changes)) {
        return flaw;
      }
      if (auto flaw = check_overlap(txn, changes)) {
        return flaw;
      }
      pending_[txn] = std::move(changes);
    }
    if (event.is_commit) {
      const auto pending = pending_.find(txn);
      if (pending == pending_.end()) {
        return name(txn) + " commits without a start before it";
      }
      if (is_repeatable_) {
        remember(txn, pending->second);
      }
      for (auto& [row, after] : pending->second) {
        live_.set(row, std::move(after));
      }
      pending_.erase(pending);
      committed_[txn.index()] = at;
    }
    return std::nullopt;
  }

  /// Of transactions on their way no two write the same row.
  [[nodiscard]] std::optional<std::string> check_overlap(TxnId txn,
                                                         const RowChanges& changes) const {
    for (const auto& [other, theirs] : pending_) {
      for (const auto& [row, after] : changes) {
        if (theirs.contains(row)) {
          return name(other) + " and " + name(txn) + " overlap and both write row " +
                 history_.shown_key(row);
        }
      }
    }
    return std::nullopt;
  }

  std::optional<std::string> run(TxnId txn, RowChanges& changes) {
    const std::span<const Op> ops = history_.ops(txn);
    for (std::uint32_t mop = 0; mop < ops.size(); ++mop) {
      if (ops[mop].kind() != OpKind::kRow) {
        return "the history has operations of another workload";
      }
      const RowOp& done = rows_.op(ops[mop]);
      const bool is_right = !done.has_predicate() ? on_row(done, changes)
                            : !is_repeatable_     ? by_predicate(done, changes)
                            : certify::is_unnamed(done)
                                ? write_taken(done, taken_[{txn, mop}], changes)
                                : by_old_versions(done, changes);
      if (!is_right) {
        return name(txn) + " does not find what it did in one of its operations";
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] const LiveRow* seen(KeyId row, const RowChanges& changes) const {
    if (changes.empty()) {
      return live_.find(row);
    }
    const auto own = changes.find(row);
    if (own == changes.end()) {
      return live_.find(row);
    }
    return own->second ? &*own->second : nullptr;
  }

  bool on_row(const RowOp& op, RowChanges& changes) const {
    const LiveRow* row = seen(op.row, changes);
    switch (op.kind) {
      case RowOpKind::kRead: {
        const auto shown = rows_.shown(op);
        if (is_read_committed_ && op.known != Known::kNothing) {
          return has_fitting_version(op, op.row, shown.empty() ? nullptr : &shown.front(), changes);
        }
        return op.known == Known::kNothing ||
               (row == nullptr ? shown.empty()
                               : shown.size() == 1 && agrees(op, shown.front(), *row));
      }
      case RowOpKind::kInsert:
        return row == nullptr && write(op, op.row, changes);
      case RowOpKind::kUpdate:
        return row != nullptr && write(op, op.row, changes);
      default:
        return write(op, op.row, changes);
    }
  }

  /// Always true.
  bool write(const RowOp& op, KeyId row, RowChanges& changes) const {
    const LiveRow* before = seen(row, changes);
    if (op.kind == RowOpKind::kDelete || op.kind == RowOpKind::kPredicateDelete) {
      if (before != nullptr) {
        changes[row] = std::nullopt;
      }
      return true;
    }
    LiveRow after = before != nullptr ? *before : LiveRow();
    for (const Field& field : rows_.written(op)) {
      after.record.set(field.column, field.value);
    }
    after.version = op.version;
    changes[row] = std::move(after);
    return true;
  }

  [[nodiscard]] static ValueId column_of(const LiveRow& row, ColumnId column) {
    const ValueId value = row.record.get(column);
    return value.is_none() ? ValueId::nil() : value;
  }

  [[nodiscard]] bool agrees(const RowOp& op, const ShownRow& shown, const LiveRow& row) const {
    if (op.known == Known::kKeys) {
      return true;
    }
    if (op.known == Known::kVersions) {
      return shown.version == row.version;
    }
    return std::ranges::all_of(rows_.fields(shown), [&](const Field& field) {
      return column_of(row, field.column) == field.value;
    });
  }

  bool by_predicate(const RowOp& op, RowChanges& changes) const {
    if (op.is_read() && op.known == Known::kNothing) {
      return true;
    }
    if (const auto count = counted(op, changes); count && op.first == 0 && tells_rows(op)) {
      return is_result(op, *count, changes) && write_all(op, rows_shown(op), changes);
    }
    std::vector<KeyId> found = matching(op, changes);
    if (op.first > 0) {
      found = first_of(std::move(found), op.first);
    }
    return is_result(op, found, changes) && write_all(op, found, changes);
  }

  /// If the operation writes. Always true.
  bool write_all(const RowOp& op, const std::vector<KeyId>& found, RowChanges& changes) const {
    if (!op.is_read()) {
      std::ranges::for_each(found, [&](KeyId row) { write(op, row, changes); });
    }
    return true;
  }

  /// Whether the rows that an operation writes are told by its result, if that is right.
  [[nodiscard]] static bool tells_rows(const RowOp& op) {
    return is_listed(op) ||
           (op.is_read() && (op.known == Known::kCount || op.known == Known::kAny));
  }

  [[nodiscard]] static bool is_listed(const RowOp& op) {
    return op.known == Known::kVersions || op.known == Known::kValues || op.known == Known::kKeys;
  }

  /// Of an operation that writes.
  [[nodiscard]] std::vector<KeyId> rows_shown(const RowOp& op) const {
    std::vector<KeyId> rows;
    if (!op.is_read()) {
      for (const ShownRow& row : rows_.shown(op)) {
        rows.push_back(row.row);
      }
    }
    return rows;
  }

  /// How many rows match, own changes included, where they need not be looked at for that.
  [[nodiscard]] std::optional<std::size_t> counted(const RowOp& op,
                                                   const RowChanges& changes) const {
    std::optional<std::size_t> count = live_.count(op);
    for (auto change = changes.begin(); count && change != changes.end(); ++change) {
      const auto& [row, after] = *change;
      const LiveRow* before = live_.find(row);
      *count -= before != nullptr && live_.is_match(op, row, *before) ? 1U : 0U;
      *count += after && live_.is_match(op, row, *after) ? 1U : 0U;
    }
    return count;
  }

  /// Whether an operation that tells rows found these many.
  [[nodiscard]] bool is_result(const RowOp& op, std::size_t count,
                               const RowChanges& changes) const {
    if (op.known == Known::kCount || op.known == Known::kAny) {
      return op.known == Known::kCount ? count == op.count : (count == 0) == (op.count == 0);
    }
    const std::span<const ShownRow> shown = rows_.shown(op);
    if (count != shown.size()) {
      return false;
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
      if (i + kAhead < shown.size()) {
        live_.prefetch(shown[i + kAhead].row);
      }
      const LiveRow* content = seen(shown[i].row, changes);
      if (content == nullptr || !live_.is_match(op, shown[i].row, *content) ||
          !agrees(op, shown[i], *content)) {
        return false;
      }
    }
    return true;
  }

  // Repeatable read.

  /// Before the changes are made.
  void remember(TxnId txn, const RowChanges& changes) {
    const bool is_first = txn == history_.info().initial_txn && history_.committed(txn);
    for (const auto& [row, after] : changes) {
      std::vector<std::optional<LiveRow>>& versions = past_[row];
      if (versions.empty() && !is_first) {
        const LiveRow* before = live_.find(row);
        versions.push_back(before != nullptr ? std::optional(*before) : std::nullopt);
      }
      versions.push_back(after);
    }
  }

  [[nodiscard]] bool is_match(const RowOp& op, KeyId row, const LiveRow* content) const {
    return content != nullptr && (!op.has_predicate() || live_.is_match(op, row, *content));
  }

  /// Whether some version of the row that the operation may concern fits what it found of the row.
  [[nodiscard]] bool has_fitting_version(const RowOp& op, KeyId row, const ShownRow* shown,
                                         const RowChanges& changes) const {
    const auto fits = [&](const LiveRow* content) {
      return shown == nullptr ? !is_match(op, row, content)
                              : is_match(op, row, content) && agrees(op, *shown, *content);
    };
    return has_version(row, changes, fits);
  }

  /// Whether something holds of some version of the row that the operation may concern.
  template <class Fits>
  [[nodiscard]] bool has_version(KeyId row, const RowChanges& changes, Fits fits) const {
    const auto past = past_.find(row);
    if (changes.contains(row)) {
      return fits(seen(row, changes));
    }
    return past == past_.end() ? fits(live_.find(row))
                               : std::ranges::any_of(past->second, [&](const auto& version) {
                                   return fits(version ? &*version : nullptr);
                                 });
  }

  /// Whether the row comes after as many rows as were asked for.
  [[nodiscard]] bool is_beyond(const RowOp& op, KeyId row) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    const auto number = [&](KeyId key) { return history_.values().as_integer(rows_.key(key)); };
    return op.first > 0 && shown.size() == op.first &&
           std::ranges::all_of(shown,
                               [&](const ShownRow& one) { return number(one.row) < number(row); });
  }

  /// An operation with a predicate: each row by itself as it was, or is.
  bool by_old_versions(const RowOp& op, RowChanges& changes) const {
    if (op.known == Known::kNothing && op.is_read()) {
      return true;
    }
    if (certify::has_no_keys(op)) {
      return op.known == Known::kBag ? may_find_bag(op, changes) : may_count(op, changes);
    }
    std::set<KeyId> shown;
    for (const ShownRow& row : rows_.shown(op)) {
      shown.insert(row.row);
      const bool is_possible = op.is_read() || seen(row.row, changes) != nullptr;
      if (!is_possible || !has_fitting_version(op, row.row, &row, changes)) {
        return false;
      }
    }
    // A row that does not match as it is needs no older version.
    for (const KeyId row : matching(op, changes)) {
      if (!shown.contains(row) && !is_beyond(op, row) &&
          !has_fitting_version(op, row, nullptr, changes)) {
        return false;
      }
    }
    for (const KeyId row : op.is_read() ? std::set<KeyId>() : shown) {
      write(op, row, changes);
    }
    return true;
  }

  /// An operation that wrote the rows that it found, which were not recorded: it wrote `taken`.
  bool write_taken(const RowOp& op, const std::set<KeyId>& taken, RowChanges& changes) const {
    const bool is_count =
        op.known == Known::kNothing ||
        (op.known == Known::kCount ? taken.size() == op.count
                                   : op.known == Known::kAny && taken.empty() == (op.count == 0));
    if (!is_count || op.first > 0) {
      return false;
    }
    for (const KeyId row : taken) {
      const bool is_row = row.index() < history_.key_count() && rows_.table(row) == op.table;
      if (!is_row || seen(row, changes) == nullptr || !may_be(op, row, changes, true)) {
        return false;
      }
    }
    for (const KeyId row : matching(op, changes)) {
      if (!taken.contains(row) && !may_be(op, row, changes, false)) {
        return false;
      }
    }
    return write_all(op, {taken.begin(), taken.end()}, changes);
  }

  /// Whether the operation may have found the row, or have missed it.
  [[nodiscard]] bool may_be(const RowOp& op, KeyId row, const RowChanges& changes,
                            bool is_found) const {
    return has_version(row, changes, [&](const LiveRow* content) {
      return is_match(op, row, content) == is_found;
    });
  }

  /// Rows that were ever there, as far as it matters.
  [[nodiscard]] std::set<KeyId> rows_so_far(const RowOp& op, const RowChanges& changes) const {
    std::set<KeyId> rows;
    live_.each_near(op, [&](KeyId row, const LiveRow& /*content*/) { rows.insert(row); });
    for (const auto& [row, versions] : past_) {
      rows.insert(row);
    }
    for (const auto& [row, after] : changes) {
      rows.insert(row);
    }
    std::erase_if(rows, [&](KeyId row) { return rows_.table(row) != op.table; });
    return rows;
  }

  /// Whether as many rows may have been found as were.
  [[nodiscard]] bool may_count(const RowOp& op, const RowChanges& changes) const {
    std::size_t sure = 0;
    std::size_t possible = 0;
    for (const KeyId row : rows_so_far(op, changes)) {
      const bool may_match = may_be(op, row, changes, true);
      possible += may_match ? 1U : 0U;
      sure += may_match && !may_be(op, row, changes, false) ? 1U : 0U;
    }
    const bool is_exact = op.known == Known::kCount && (op.first == 0 || op.count < op.first);
    return op.count <= possible && (!is_exact || sure <= op.count);
  }

  /// Whether each row that was shown may have been another one that there was, and each that cannot
  /// have been missed one that was shown. Where both can be, both can be at once (Mendelsohn and
  /// Dulmage 1958).
  [[nodiscard]] bool may_find_bag(const RowOp& op, const RowChanges& changes) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    if (op.first > 0 && shown.size() == op.first) {
      return false;  // not of this kind of proof
    }
    std::vector<std::vector<std::size_t>> items;  // of rows that must have been found
    std::vector<std::vector<std::size_t>> holders(shown.size());
    std::size_t number = 0;
    for (const KeyId row : rows_so_far(op, changes)) {
      std::vector<std::size_t> like;
      for (std::size_t item = 0; item < shown.size(); ++item) {
        if (has_fitting_version(op, row, &shown[item], changes)) {
          like.push_back(item);
          holders[item].push_back(number);
        }
      }
      ++number;
      if (!may_be(op, row, changes, false)) {
        items.push_back(std::move(like));
      }
    }
    return certify::can_be_matched(items, shown.size()) && certify::can_be_matched(holders, number);
  }

  /// The rows that match, own changes included, ascending.
  [[nodiscard]] std::vector<KeyId> matching(const RowOp& op, const RowChanges& changes) const {
    std::vector<KeyId> found;
    live_.each_near(op, [&](KeyId row, const LiveRow& content) {
      if (!changes.contains(row) && live_.is_match(op, row, content)) {
        found.push_back(row);
      }
    });
    for (const auto& [row, content] : changes) {
      if (content && live_.is_match(op, row, *content)) {
        found.push_back(row);
      }
    }
    std::ranges::sort(found);
    return found;
  }

  [[nodiscard]] std::vector<KeyId> first_of(std::vector<KeyId> found, std::size_t count) const {
    const auto key = [this](KeyId row) { return history_.values().as_integer(rows_.key(row)); };
    std::ranges::stable_sort(found, {}, key);
    found.resize(std::min(count, found.size()));
    std::ranges::sort(found);
    return found;
  }

  [[nodiscard]] bool is_result(const RowOp& op, const std::vector<KeyId>& found,
                               const RowChanges& changes) const {
    const std::span<const ShownRow> shown = rows_.shown(op);
    switch (op.known) {
      case Known::kNothing:
        return true;
      case Known::kCount:
        return found.size() == op.count;
      case Known::kAny:
        return found.empty() == (op.count == 0);
      case Known::kBag:
        return found.size() == shown.size() && is_bag(shown, found, changes);
      default:
        break;
    }
    return found.size() == shown.size() && std::ranges::all_of(shown, [&](const ShownRow& row) {
             return std::ranges::binary_search(found, row.row) &&
                    agrees(op, row, *seen(row.row, changes));
           });
  }

  [[nodiscard]] bool is_bag(std::span<const ShownRow> shown, const std::vector<KeyId>& found,
                            const RowChanges& changes) const {
    std::map<std::vector<ValueId>, std::int64_t> balance;
    for (const ShownRow& row : shown) {
      std::vector<ValueId> values;
      for (const Field& field : rows_.fields(row)) {
        values.push_back(field.value);
      }
      ++balance[values];
    }
    for (const KeyId row : found) {
      std::vector<ValueId> values;
      for (const Field& field : rows_.fields(shown.front())) {
        values.push_back(column_of(*seen(row, changes), field.column));
      }
      --balance[values];
    }
    return std::ranges::all_of(balance, [](const auto& entry) { return entry.second == 0; });
  }

  [[nodiscard]] std::optional<std::string> check_members() const {
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      const bool is_in = committed_[txn.index()] != kNever;
      if (history_.committed(txn) && !is_in) {
        return name(txn) + " committed and is not in the order";
      }
      if (history_.status(txn) == TxnStatus::kAborted && is_in) {
        return name(txn) + " was aborted and is in the order";
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> check_orders() const {
    const TxnId initial = history_.info().initial_txn;
    if (!initial.is_none() && history_.committed(initial) &&
        std::ranges::any_of(begun_, [&](std::size_t at) {
          return at != kNever && at != begun_[initial.index()] && at < committed_[initial.index()];
        })) {
      return "a transaction comes before the initial one";
    }
    if (level_.sessions) {
      if (auto flaw = check_sessions()) {
        return flaw;
      }
    }
    return level_.real_time ? check_real_time() : std::nullopt;
  }

  [[nodiscard]] std::vector<TxnId> all_txns() const {
    std::vector<TxnId> txns;
    for (TxnId txn{0}; txn.index() < history_.txn_count(); ++txn.value) {
      txns.push_back(txn);
    }
    return txns;
  }

  [[nodiscard]] std::optional<std::string> check_sessions() const {
    for (SessionId session{0}; session.index() < history_.session_count(); ++session.value) {
      TxnId last = TxnId::none();
      for (const TxnId txn : history_.session_txns(session)) {
        const bool is_in = begun_[txn.index()] != kNever;
        if (is_in && !last.is_none() && begun_[txn.index()] <= committed_[last.index()]) {
          return name(txn) + " comes before " + name(last) + ", after which its session ran it";
        }
        last = history_.committed(txn) ? txn : last;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> check_real_time() const {
    if (!history_.info().has_real_time) {
      return "the history has no real time";
    }
    std::vector<TxnId> by_invocation;
    std::vector<TxnId> by_completion;
    for (const TxnId txn : all_txns()) {
      if (begun_[txn.index()] != kNever && history_.has_invocation(txn)) {
        by_invocation.push_back(txn);
      }
      if (history_.committed(txn)) {
        by_completion.push_back(txn);
      }
    }
    std::ranges::sort(by_invocation, {}, [&](TxnId txn) { return history_.invocation_id(txn); });
    std::ranges::sort(by_completion, {}, [&](TxnId txn) { return history_.completion_id(txn); });
    auto next = by_completion.begin();
    TxnId latest = TxnId::none();  // in the order, of those completed so far
    for (const TxnId txn : by_invocation) {
      for (; next != by_completion.end() &&
             history_.completion_id(*next) < history_.invocation_id(txn);
           ++next) {
        if (latest.is_none() || committed_[next->index()] > committed_[latest.index()]) {
          latest = *next;
        }
      }
      if (!latest.is_none() && begun_[txn.index()] <= committed_[latest.index()]) {
        return name(txn) + " comes before " + name(latest) +
               ", which had completed when it was invoked";
      }
    }
    return std::nullopt;
  }

  const History& history_;
  const rows::Rows& rows_;
  OrderLevel level_;
  const Witness& witness_;
  LiveRows live_;
  bool is_repeatable_;      // predicates may concern old versions
  bool is_read_committed_;  // reads of single rows, too
  std::unordered_map<KeyId, std::vector<std::optional<LiveRow>>> past_;  // of rows ever written
  std::map<std::pair<TxnId, std::uint32_t>, std::set<KeyId>> taken_;     // by operation
  std::map<TxnId, RowChanges> pending_;
  std::vector<std::size_t> begun_;      // place in the order, by transaction
  std::vector<std::size_t> committed_;  // the same
};

}  // namespace

std::optional<std::string> check_rows_witness(const History& history, OrderLevel level,
                                              const Witness& witness) {
  if (!certify::is_level_of_rows(level)) {
    return certify::kNoLevelOfRows;
  }
  return RowsReplay(history, level, witness).check();
}

std::optional<std::string> check_rows_of_old_versions(const History& history, Model model,
                                                      const Witness& witness) {
  return RowsReplay(history, {.visibility = Visibility::kSerial}, witness, model).check();
}

}  // namespace elapid
