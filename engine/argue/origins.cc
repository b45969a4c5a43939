#include "engine/argue/origins.h"

#include <algorithm>
#include <tuple>

namespace elapid::argue {

using rows::Field;
using rows::RowOp;
using rows::RowOpKind;
using rows::ShownRow;

namespace {

auto sight_key(const Sight& sight) {
  return std::tuple(sight.row, sight.part, sight.value.bits());
}

}  // namespace

std::size_t Origins::PlaceHash::operator()(const Place& place) const {
  const std::uint64_t rest = std::uint64_t{place.row.value} << 32 | place.value.bits();
  return seeded_hash(seeded_hash(place.part) ^ rest);
}

Origins::Origins(const History& history, const RowWrites& writes, OldVersions old_versions)
    : history_(history), writes_(writes), old_versions_(old_versions) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.status(txn) != TxnStatus::kAborted) {
      note_writes(txn);
    }
    if (history.committed(txn)) {
      note_sights(txn);
    }
  }
  std::ranges::sort(sights_, [](const Sight& a, const Sight& b) {
    return std::tuple(sight_key(a), a.txn, a.mop) < std::tuple(sight_key(b), b.txn, b.mop);
  });
}

void Origins::note_writes(TxnId txn) {
  const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
  for (std::uint32_t mop = 0; mop < count; ++mop) {
    const RowOp& op = writes_.op(txn, mop);
    if (op.is_read()) {
      continue;
    }
    const auto note = [&](std::uint32_t part, ValueId value) {
      if (op.writes_unnamed()) {
        note_write({KeyId::none(), part, value}, txn);
      }
      for (const KeyId row : writes_.rows_of(txn, mop)) {
        note_write({row, part, value}, txn);
      }
    };
    for (const Field& field : writes_.rows().written(op)) {
      note(part_of(field.column), field.value);
    }
    note(kRowVersion, op.version);
    if (op.kind == RowOpKind::kInsert || op.kind == RowOpKind::kPut) {
      note(kRowExistence, RowParts::existence(true));
    }
  }
}

void Origins::note_write(Place place, TxnId txn) {
  const auto [known, is_new] = writers_.try_emplace(place, Writer{txn});
  known->second.is_only = known->second.is_only && known->second.txn == txn;
}

void Origins::note_sights(TxnId txn) {
  const auto count = static_cast<std::uint32_t>(history_.ops(txn).size());
  for (std::uint32_t mop = 0; mop < count; ++mop) {
    const RowOp& op = writes_.op(txn, mop);
    if (op.kind == RowOpKind::kUpdate && !may_be_own(txn, mop, op.row)) {
      sights_.push_back({op.row, kRowExistence, RowParts::existence(true), txn, mop});
    }
    const bool shows = op.has_predicate()
                           ? old_versions_ == OldVersions::kOfNone && op.known != rows::Known::kBag
                           : !are_of_reads(old_versions_) && op.kind == RowOpKind::kRead;
    for (const ShownRow& shown : writes_.rows().shown(op)) {
      if (shows) {
        note_sight(txn, mop, shown);
      }
    }
  }
}

bool Origins::may_be_own(TxnId txn, std::uint32_t mop, KeyId row) const {
  bool may_be = false;
  writes_.each_write(txn, mop, row, [&](std::uint32_t, const RowOp&, bool) { may_be = true; });
  return may_be;
}

void Origins::note_sight(TxnId txn, std::uint32_t mop, const ShownRow& shown) {
  if (may_be_own(txn, mop, shown.row)) {
    return;
  }
  sights_.push_back({shown.row, kRowExistence, RowParts::existence(true), txn, mop});
  if (writes_.op(txn, mop).known == rows::Known::kVersions) {
    sights_.push_back({shown.row, kRowVersion, shown.version, txn, mop});
  }
  for (const Field& field : writes_.rows().fields(shown)) {
    sights_.push_back({shown.row, part_of(field.column), field.value, txn, mop});
  }
}

std::span<const Sight> Origins::sights(KeyId row, std::uint32_t part, ValueId value) const {
  const auto range =
      std::ranges::equal_range(sights_, std::tuple(row, part, value.bits()), {}, sight_key);
  return {range.begin(), range.end()};
}

TxnId Origins::only_writer(KeyId row, std::uint32_t part, ValueId value) const {
  if (value.is_none() || value.is_nil()) {
    return TxnId::none();
  }
  const auto named = writers_.find({row, part, value});
  const auto unnamed = writers_.find({KeyId::none(), part, value});
  const bool has_named = named != writers_.end();
  const bool has_unnamed = unnamed != writers_.end();
  if (!has_named && !has_unnamed) {
    return TxnId::none();
  }
  const Writer& one = has_named ? named->second : unnamed->second;
  const bool agree = !has_named || !has_unnamed || named->second.txn == unnamed->second.txn;
  return one.is_only && agree && (!has_unnamed || unnamed->second.is_only) ? one.txn
                                                                           : TxnId::none();
}

}  // namespace elapid::argue
