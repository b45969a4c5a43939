#include "parsers/vbox/transactions.h"

#include <algorithm>

#include "parsers/bytes/byte_source.h"

namespace elapid::vbox {

using rows::Known;
using rows::Predicate;
using rows::RowOpKind;

void RegisterOperations::convert(const Transaction& txn, std::vector<MopInput>& mops) {
  const auto make_key = [this](std::uint64_t key) { return keys_.key(key); };
  const Record* last_write = nullptr;
  for (std::size_t at = 0; at < txn.records.size(); ++at) {
    const Record& record = txn.records[at];
    prefetch_version(versions_, txn, at + kRecordsAhead);
    if (record.type == 'R') {
      const RowVersion& read = versions_.read(record.key, record.version, record.offset, make_key);
      mops.push_back({.kind = OpKind::kRead, .key = read.row, .value = read.value});
    } else if (record.type == 'W') {
      // A statement writes each column of a row in a record of its own.
      const bool is_same =
          last_write != nullptr && last_write->oid == record.oid && last_write->key == record.key;
      if (!is_same) {
        const RowVersion& written = versions_.write(record.key, {txn.tid, record.oid}, make_key);
        mops.push_back({.kind = OpKind::kWrite, .key = written.row, .value = written.value});
      }
      last_write = &record;
    }
  }
}

Status RowOperations::convert(const Transaction& txn, std::vector<MopInput>& mops) {
  const std::span<const Record> records = txn.records;
  for (std::size_t begin = 0; begin < records.size();) {
    std::size_t end = begin + 1;
    while (end < records.size() && records[end].oid == records[begin].oid) {
      ++end;
    }
    ELAPID_RETURN_IF_ERROR(add_statement(txn, records.subspan(begin, end - begin), mops));
    begin = end;
  }
  return {};
}

rows::ColumnId RowOperations::column(std::uint64_t name) {
  const auto bits = static_cast<std::int64_t>(name);
  if (const std::uint32_t known = columns_.find(bits); known != IntMap::kAbsent) {
    return {known};
  }
  const rows::ColumnId fresh = rows_.column(history_.values().natural(name));
  columns_.find_or_add(bits, fresh.value);
  return fresh;
}

rows::ShownRowInput RowOperations::shown(const Record& read) {
  const RowVersion& version = versions_.read(read.key, read.version, read.offset,
                                             [this](std::uint64_t key) { return row(key); });
  return {.row = version.row, .version = version.value};
}

Status RowOperations::add(const rows::RowOpInput& input, std::vector<MopInput>& mops) {
  ELAPID_ASSIGN_OR_RETURN(MopInput mop, rows_.add(input));
  mops.push_back(mop);
  return {};
}

Status RowOperations::add_statement(const Transaction& txn, std::span<const Record> records,
                                    std::vector<MopInput>& mops) {
  const auto predicate = std::ranges::find(records, 'P', &Record::type);
  if (predicate != records.end()) {
    ELAPID_RETURN_IF_ERROR(add_predicate(txn, *predicate, records, mops));
    return add_writes(txn, records, mops);
  }
  for (const Record& record : records) {
    if (record.type != 'R') {
      continue;
    }
    const rows::ShownRowInput read = shown(record);
    ELAPID_RETURN_IF_ERROR(add({.kind = RowOpKind::kRead,
                                .position = {.offset = record.offset},
                                .row = read.row,
                                .known = Known::kVersions,
                                .shown = {&read, 1}},
                               mops));
  }
  return add_writes(txn, records, mops);
}

/// Adds the predicate's read. A SELECT shows the versions of the matching rows, an UPDATE only
/// which rows match.
Status RowOperations::add_predicate(const Transaction& txn, const Record& predicate,
                                    std::span<const Record> records, std::vector<MopInput>& mops) {
  const std::span<const std::uint64_t> matched = txn.matched(predicate);
  const auto first = static_cast<std::size_t>(records.data() - txn.records.data());
  bool writes = false;
  touched_.clear();
  shown_.clear();
  for (std::size_t at = 0; at < records.size(); ++at) {
    const Record& record = records[at];
    if (record.type == 'P') {
      if (&record != &predicate) {
        return malformed_at(record.offset, "expected one predicate a statement, found two in " +
                                               std::to_string(record.oid));
      }
      continue;
    }
    touched_.push_back(record.key);
    prefetch_version(versions_, txn, first + at + kRecordsAhead);
    if (record.type == 'R') {
      shown_.push_back(shown(record));
    } else {
      writes = true;
    }
  }
  const bool shows_versions = !shown_.empty() && !writes;
  if (!shows_versions) {
    shown_.clear();
    for (const std::uint64_t key : matched) {
      shown_.push_back({.row = row(key)});
    }
  }
  ELAPID_RETURN_IF_ERROR(
      add({.kind = RowOpKind::kPredicateRead,
           .position = {.offset = predicate.offset},
           .predicate = Predicate::range(column(predicate.column), predicate.low, predicate.high),
           .known = shows_versions ? Known::kVersions : Known::kKeys,
           .shown = shown_},
          mops));
  if (!touched_.empty() && !has_touched(matched)) {
    return malformed_at(predicate.offset, "expected the rows that statement " +
                                              std::to_string(predicate.oid) + " read or wrote, " +
                                              std::to_string(touched_.size()) + " of them, found " +
                                              std::to_string(matched.size()) +
                                              " that its predicate matched, or others");
  }
  return {};
}

/// Whether the rows that a statement touched, some of them repeatedly, are those that its predicate
/// matched.
bool RowOperations::has_touched(std::span<const std::uint64_t> matched) {
  if (std::ranges::equal(touched_, matched)) {
    return true;
  }
  matched_.assign(matched.begin(), matched.end());
  std::ranges::sort(matched_);
  std::ranges::sort(touched_);
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
  return matched_ == touched_;
}

/// Adds a write for each row, of all columns that the statement wrote.
Status RowOperations::add_writes(const Transaction& txn, std::span<const Record> records,
                                 std::vector<MopInput>& mops) {
  writes_.clear();
  for (const Record& record : records) {
    if (record.type == 'W') {
      writes_.push_back(&record);
    }
  }
  if (!std::ranges::is_sorted(writes_, {}, &Record::key)) {
    std::ranges::stable_sort(writes_, {}, &Record::key);
  }
  for (std::size_t at = 0; at < writes_.size();) {
    const Record& first = *writes_[at];
    fields_.clear();
    for (; at < writes_.size() && writes_[at]->key == first.key; ++at) {
      fields_.push_back(
          {column(writes_[at]->column), history_.values().natural(writes_[at]->value)});
    }
    const RowVersion& written = versions_.write(first.key, {txn.tid, first.oid},
                                                [this](std::uint64_t key) { return row(key); });
    ELAPID_RETURN_IF_ERROR(add({.kind = RowOpKind::kPut,
                                .position = {.offset = first.offset},
                                .row = written.row,
                                .version = written.value,
                                .written = fields_},
                               mops));
  }
  return {};
}

}  // namespace elapid::vbox
