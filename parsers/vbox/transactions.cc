#include "parsers/vbox/transactions.h"

#include <algorithm>
#include <utility>

#include "parsers/bytes/byte_source.h"

namespace elapid::vbox {

using rows::Known;
using rows::Predicate;
using rows::RowOpKind;

void RegisterOperations::convert(const Transaction& txn, std::vector<MopInput>& mops) {
  const Record* last_write = nullptr;
  for (const Record& record : txn.records) {
    if (record.type == 'R') {
      const bool is_initial = record.version.tid == 0;
      mops.push_back({.kind = OpKind::kRead,
                      .key = keys_.key(record.key),
                      .value = is_initial
                                   ? ValueId::nil()
                                   : history_.values().integer(version_number(record.version))});
    } else if (record.type == 'W') {
      // A statement writes a row column by column.
      const bool is_same =
          last_write != nullptr && last_write->oid == record.oid && last_write->key == record.key;
      if (!is_same) {
        mops.push_back({.kind = OpKind::kWrite,
                        .key = keys_.key(record.key),
                        .value = history_.values().integer(version_number({txn.tid, record.oid}))});
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
    if (Status status = add_statement(txn, records.subspan(begin, end - begin), mops);
        !status.ok()) {
      return status;
    }
    begin = end;
  }
  return {};
}

ValueId RowOperations::version(Version version) {
  return version.tid == 0 ? ValueId::nil() : history_.values().integer(version_number(version));
}

Status RowOperations::add(const rows::RowOpInput& input, std::vector<MopInput>& mops) {
  Result<MopInput> mop = rows_.add(input);
  if (!mop) {
    return std::move(mop.error());
  }
  mops.push_back(mop.value());
  return {};
}

Status RowOperations::add_statement(const Transaction& txn, std::span<const Record> records,
                                    std::vector<MopInput>& mops) {
  const auto predicate = std::ranges::find(records, 'P', &Record::type);
  if (predicate != records.end()) {
    if (Status status = add_predicate(txn, *predicate, records, mops); !status.ok()) {
      return status;
    }
    return add_writes(txn, records, mops);
  }
  for (const Record& record : records) {
    if (record.type != 'R') {
      continue;
    }
    const rows::ShownRowInput shown = {.row = row(record.key), .version = version(record.version)};
    if (Status status = add({.kind = RowOpKind::kRead,
                             .position = {.offset = record.offset},
                             .row = shown.row,
                             .known = Known::kVersions,
                             .shown = {&shown, 1}},
                            mops);
        !status.ok()) {
      return status;
    }
  }
  return add_writes(txn, records, mops);
}

/// A SELECT shows the versions of the rows that match, an UPDATE only which they are.
Status RowOperations::add_predicate(const Transaction& txn, const Record& predicate,
                                    std::span<const Record> records, std::vector<MopInput>& mops) {
  const std::span<const std::uint64_t> matched = txn.matched(predicate);
  std::vector<std::uint64_t> touched;
  bool writes = false;
  shown_.clear();
  for (const Record& record : records) {
    if (&record != &predicate && record.type == 'P') {
      return malformed_at(record.offset, "expected one predicate a statement, found two in " +
                                             std::to_string(record.oid));
    }
    writes = writes || record.type == 'W';
    if (record.type == 'R') {
      shown_.push_back({.row = row(record.key), .version = version(record.version)});
    }
    if (record.type != 'P') {
      touched.push_back(record.key);
    }
  }
  const bool shows_versions = !shown_.empty() && !writes;
  if (!shows_versions) {
    shown_.clear();
    for (const std::uint64_t key : matched) {
      shown_.push_back({.row = row(key)});
    }
  }
  std::vector<std::uint64_t> expected(matched.begin(), matched.end());
  std::ranges::sort(expected);
  std::ranges::sort(touched);
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  if (Status status = add(
          {.kind = RowOpKind::kPredicateRead,
           .position = {.offset = predicate.offset},
           .predicate = Predicate::range(rows_.column(history_.values().natural(predicate.column)),
                                         predicate.low, predicate.high),
           .known = shows_versions ? Known::kVersions : Known::kKeys,
           .shown = shown_},
          mops);
      !status.ok()) {
    return status;
  }
  if (!touched.empty() && expected != touched) {
    return malformed_at(predicate.offset, "expected the rows that statement " +
                                              std::to_string(predicate.oid) + " read or wrote, " +
                                              std::to_string(touched.size()) + " of them, found " +
                                              std::to_string(expected.size()) +
                                              " that its predicate matched, or others");
  }
  return {};
}

/// One write a row of all columns that the statement wrote in it.
Status RowOperations::add_writes(const Transaction& txn, std::span<const Record> records,
                                 std::vector<MopInput>& mops) {
  std::vector<const Record*> writes;
  for (const Record& record : records) {
    if (record.type == 'W') {
      writes.push_back(&record);
    }
  }
  std::ranges::stable_sort(writes, {}, &Record::key);
  for (std::size_t at = 0; at < writes.size();) {
    const Record& first = *writes[at];
    fields_.clear();
    for (; at < writes.size() && writes[at]->key == first.key; ++at) {
      fields_.push_back({rows_.column(history_.values().natural(writes[at]->column)),
                         history_.values().natural(writes[at]->value)});
    }
    if (Status status = add({.kind = RowOpKind::kPut,
                             .position = {.offset = first.offset},
                             .row = row(first.key),
                             .version = version({txn.tid, first.oid}),
                             .written = fields_},
                            mops);
        !status.ok()) {
      return status;
    }
  }
  return {};
}

}  // namespace elapid::vbox
