#include "engine/elle/row_versions.h"

#include <algorithm>
#include <cstddef>

namespace elapid::elle {

using rows::Known;
using rows::Predicate;
using rows::RowOp;
using rows::RowOpKind;

namespace {

constexpr RowVersion kUnborn{};
constexpr RowVersion kDead{RowVersion::State::kDead, ValueId::none()};

RowVersion of_value(ValueId value) {
  return {RowVersion::State::kValue, value};
}

bool is_falsy(const History& history, RowVersion version) {
  return version.state == RowVersion::State::kValue && !history.values().truthy(version.value);
}

std::string_view name_of(Predicate::Kind kind) {
  using Kind = Predicate::Kind;
  switch (kind) {
    case Kind::kRange:
      return ":in";
    case Kind::kKeyRange:
      return ":key";
    case Kind::kPresent:
      return ":present";
    case Kind::kNot:
      return ":not";
    case Kind::kAnd:
      return ":and";
    case Kind::kOr:
      return ":or";
    default:
      return "";
  }
}

}  // namespace

RowVersions::RowVersions(const History& history)
    : history_(history), rows_(*history.info().rows), versions_(history.key_count()) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.has_completion(txn) && history.status(txn) != TxnStatus::kAborted) {
      possible_.push_back(txn);
    }
  }
  std::ranges::stable_sort(possible_, {}, [&](TxnId txn) { return history.completion_id(txn); });
  refuse();
  for (const TxnId txn : possible_) {
    if (!exception_) {
      note(txn);
    }
  }
}

/// Rows of several columns, results without values, and other predicates.
void RowVersions::refuse() {
  const auto refuse_if = [&](bool is_such, std::string_view what) {
    if (is_such && !exception_) {
      exception_ = std::string(what);
    }
  };
  refuse_if(rows_.column_count() > 1 ||
                (rows_.column_count() == 1 && !rows_.column_name(rows::ColumnId{0}).is_none()),
            "closed-predicate has rows that are single values, found columns");
  for (const RowOp& op : rows_.ops()) {
    const bool makes_row = op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut;
    refuse_if(makes_row && rows_.written(op).empty(),
              "closed-predicate has rows that are single values, found a row without one");
    if (op.kind == RowOpKind::kPredicateRead) {
      const std::string_view other = name_of(rows_.predicate(op).kind);
      refuse_if(!other.empty(),
                "IllegalArgumentException: No matching clause: " + std::string(other));
      refuse_if(op.first > 0 || (op.known != Known::kValues && op.known != Known::kNothing),
                "closed-predicate has results that are rows with their values, found others");
    }
    refuse_if(op.kind == RowOpKind::kRead && op.known == Known::kVersions,
              "closed-predicate has reads of values, found versions");
  }
}

void RowVersions::note(TxnId txn) {
  const bool is_initial = txn == history_.info().initial_txn;
  for (const Op op : history_.ops(txn)) {
    const auto version = written_by(op);
    if (!version) {
      continue;
    }
    const KeyId row = this->op(op).row;
    std::vector<RowVersion>& versions = versions_[row.index()];
    if (versions.empty()) {
      written_.push_back(row);
      if (!is_initial) {
        versions.push_back(kUnborn);
      }
    }
    versions.push_back(*version);
  }
  for (const auto& [row, version] : final_writes(txn)) {
    if (!writers_.emplace(std::pair(row, version), txn).second && !exception_) {
      exception_ = "multiple-writes-of-same-value: key " + history_.key_text(row) + ", value " +
                   (version == kDead ? ":elle/dead" : history_.text(version.value));
    }
  }
}

std::optional<RowVersion> RowVersions::written_by(const rows::Rows& rows, const RowOp& op) {
  switch (op.kind) {
    case RowOpKind::kInsert:
    case RowOpKind::kPut:
      return of_value(rows.written(op).front().value);
    case RowOpKind::kDelete:
      return kDead;
    default:
      return std::nullopt;
  }
}

std::vector<std::pair<KeyId, RowVersion>> RowVersions::final_writes(TxnId txn) const {
  std::vector<std::pair<KeyId, RowVersion>> writes;
  for (const Op op : history_.ops(txn)) {
    const auto version = written_by(op);
    if (!version) {
      continue;
    }
    const KeyId row = this->op(op).row;
    const auto known = std::ranges::find(writes, row, &std::pair<KeyId, RowVersion>::first);
    if (known == writes.end()) {
      writes.emplace_back(row, *version);
    } else {
      known->second = *version;
    }
  }
  return writes;
}

TxnId RowVersions::writer(KeyId row, RowVersion version) const {
  const auto found = writers_.find({row, version});
  return found == writers_.end() ? TxnId::none() : found->second;
}

std::optional<RowVersion> RowVersions::shown(const RowOp& read) const {
  if (read.shown_count > 0) {
    const std::span<const rows::Field> fields = rows_.fields(rows_.shown(read).front());
    return of_value(fields.empty() ? ValueId::nil() : fields.front().value);
  }
  const std::span<const RowVersion> versions = all(read.row);
  const bool was_unborn = !versions.empty() && versions.front() == kUnborn;
  const bool is_dead = !versions.empty() && versions.back() == kDead;
  return was_unborn && is_dead ? std::nullopt : std::optional(is_dead ? kDead : kUnborn);
}

std::optional<RowVersion> RowVersions::before(KeyId row, RowVersion version) const {
  const std::span<const RowVersion> versions = all(row);
  const auto at = std::ranges::find(versions, version);
  const bool has_one = at != versions.begin() && at != versions.end();
  return has_one && !is_falsy(history_, at[-1]) ? std::optional(at[-1]) : std::nullopt;
}

std::optional<RowVersion> RowVersions::after(KeyId row, RowVersion version) const {
  const std::span<const RowVersion> versions = all(row);
  auto next = std::ranges::find(versions, version);
  if (next != versions.end()) {
    ++next;
  } else if (version == kUnborn) {
    next = versions.begin();
  }
  return next != versions.end() && !is_falsy(history_, *next) ? std::optional(*next) : std::nullopt;
}

std::span<const RowVersion> RowVersions::all_after(KeyId row, RowVersion version) const {
  const std::span<const RowVersion> versions = all(row);
  const auto at = std::ranges::find(versions, version);
  return at == versions.end() ? std::span<const RowVersion>() : std::span(at + 1, versions.end());
}

bool RowVersions::matches(const RowOp& read, RowVersion version) const {
  if (version.state != RowVersion::State::kValue) {
    return false;
  }
  const Predicate& predicate = rows_.predicate(read);
  switch (predicate.kind) {
    case Predicate::Kind::kEqual:
      return predicate.value == version.value;
    case Predicate::Kind::kMod: {
      const auto number = history_.values().as_integer(version.value);
      const std::int64_t rest = number ? *number % predicate.high : 0;
      return number && (rest < 0 ? rest + predicate.high : rest) == predicate.low;
    }
    default:
      return true;
  }
}

std::optional<RowVersion> RowVersions::found(const RowOp& read, KeyId row) const {
  const std::span<const rows::ShownRow> shown = rows_.shown(read);
  const auto at = std::ranges::find(shown, row, &rows::ShownRow::row);
  if (at == shown.end()) {
    return std::nullopt;
  }
  const std::span<const rows::Field> fields = rows_.fields(*at);
  return of_value(fields.empty() ? ValueId::nil() : fields.front().value);
}

VersionSet RowVersions::selected(const RowOp& read) const {
  VersionSet set;
  for (const rows::ShownRow& shown : rows_.shown(read)) {
    set.emplace_back(shown.row, *found(read, shown.row));
  }
  for (const KeyId row : written_) {
    if (found(read, row)) {
      continue;
    }
    std::optional<RowVersion> only;
    std::size_t candidates = 0;
    for (const RowVersion version : all(row)) {
      if (!matches(read, version)) {
        only = version;
        ++candidates;
      }
    }
    if (candidates <= 1) {
      set.emplace_back(row, only.value_or(kUnborn));
    }
  }
  return set;
}

}  // namespace elapid::elle
