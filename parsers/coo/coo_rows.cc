#include "parsers/coo/coo_rows.h"

#include <utility>

namespace elapid {

using rows::Field;
using rows::Known;
using rows::Predicate;
using rows::RowOpKind;

std::string coo_item_key(std::int64_t line, std::size_t item) {
  return "\"s" + std::to_string(line) + '/' + static_cast<char>('a' + static_cast<char>(item)) +
         '"';
}

CooRows::CooRows(HistoryBuilder& history)
    : history_(history),
      rows_(history),
      schedule_column_(rows_.column(history.values().intern(":schedule"))),
      version_column_(rows_.column(history.values().intern(":version"))) {}

void CooRows::add(std::int64_t line, const CooSchedule& schedule, std::int64_t now) {
  StoredSchedule stored = {.line = line, .end = now};
  for (std::size_t item = 0; item < kCooItems; ++item) {
    stored.has_item.at(item) = schedule.has_item(item);
  }
  for (const std::size_t number : schedule.txns()) {
    stored.numbers.push_back(number);
    stored.txns.push_back(schedule.txn(number));
  }
  schedules_.push_back(std::move(stored));
}

Status CooRows::hand_over() {
  Status status = add_contents();
  for (const StoredSchedule& schedule : schedules_) {
    for (std::size_t i = 0; i < schedule.txns.size() && status.ok(); ++i) {
      status = add(schedule, schedule.txns[i], schedule.numbers[i]);
    }
  }
  return status;
}

KeyId CooRows::row(const StoredSchedule& schedule, std::size_t item) {
  return rows_.row(history_.values().intern(coo_item_key(schedule.line, item)));
}

/// Adds the initial contents, before the first operation.
Status CooRows::add_contents() {
  std::vector<MopInput> inserts;
  for (const StoredSchedule& schedule : schedules_) {
    for (std::size_t item = 0; item < kCooItems; ++item) {
      if (!schedule.has_item.at(item)) {
        continue;
      }
      const std::array<Field, 2> held = {Field{schedule_column_, ValueId::integer(schedule.line)},
                                         Field{version_column_, ValueId::integer(0)}};
      ELAPID_ASSIGN_OR_RETURN(
          MopInput insert,
          rows_.add({.kind = RowOpKind::kInsert, .row = row(schedule, item), .written = held}));
      inserts.push_back(insert);
    }
  }
  return history_.add_transaction(
      {.session = 0, .invocation_time = 0, .completion_time = 0, .mops = inserts});
}

Status CooRows::add(const StoredSchedule& schedule, const CooTxn& txn, std::size_t number) {
  std::vector<MopInput> mops;
  for (const CooAccess& access : txn.accesses) {
    ELAPID_ASSIGN_OR_RETURN(MopInput mop, operation(schedule, txn, access));
    mops.push_back(mop);
  }
  return history_.add_transaction({.session = coo_session(schedule.line, number),
                                   .status = txn.status,
                                   .invocation_time = txn.begin,
                                   .completion_time = txn.has_ended() ? txn.end : schedule.end,
                                   .position = {.file = 0, .offset = txn.offset},
                                   .mops = mops});
}

Result<MopInput> CooRows::operation(const StoredSchedule& schedule, const CooTxn& txn,
                                    const CooAccess& access) {
  const SourcePosition position = {.file = 0, .offset = txn.offset};
  if (access.kind == CooAccess::Kind::kScan) {
    return scan(schedule, txn.scans[access.item], position);
  }
  const KeyId item = row(schedule, access.item);
  const Field version = {version_column_, ValueId::integer(access.version)};
  if (access.kind == CooAccess::Kind::kWrite) {
    return rows_.add(
        {.kind = RowOpKind::kPut, .position = position, .row = item, .written = {&version, 1}});
  }
  const rows::ShownRowInput shown = {.row = item, .fields = {&version, 1}};
  return rows_.add({.kind = RowOpKind::kRead,
                    .position = position,
                    .row = item,
                    .known = Known::kValues,
                    .shown = {&shown, 1}});
}

Result<MopInput> CooRows::scan(const StoredSchedule& schedule, const CooVersions& versions,
                               SourcePosition position) {
  std::array<Field, kCooItems> fields = {};
  std::vector<rows::ShownRowInput> shown;
  for (std::size_t item = 0; item < kCooItems; ++item) {
    if (schedule.has_item.at(item) && versions.at(item) % 2 == 0) {
      fields.at(item) = {version_column_, ValueId::integer(versions.at(item))};
      shown.push_back({.row = row(schedule, item), .fields = {&fields.at(item), 1}});
    }
  }
  return rows_.add({.kind = RowOpKind::kPredicateRead,
                    .position = position,
                    .predicate = Predicate::all_of(
                        {Predicate::equal(schedule_column_, ValueId::integer(schedule.line)),
                         Predicate::mod(version_column_, 2, 0)}),
                    .known = Known::kValues,
                    .shown = shown});
}

}  // namespace elapid
