#include "engine/solve/footprints.h"

namespace elapid {

Footprints::Footprints(const History& history) : contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  TxnReader reader(history);
  for (std::uint32_t t = 0; t < history.txn_count(); ++t) {
    if (history.status({t}) != TxnStatus::kAborted) {
      read(reader, {t});
    }
    begin_.push_back(static_cast<std::uint32_t>(touches_.size()));
  }
  has_odd_reads_ = reader.has_odd_reads();
}

Footprints::Footprints(const History& history, std::span<const TxnId> txns)
    : contradictory_(history.txn_count(), false) {
  begin_.reserve(history.txn_count() + 1);
  TxnReader reader(history);
  for (const TxnId txn : txns) {
    begin_.resize(txn.index() + 1, static_cast<std::uint32_t>(touches_.size()));
    if (history.status(txn) != TxnStatus::kAborted) {
      read(reader, txn);
    }
    begin_.push_back(static_cast<std::uint32_t>(touches_.size()));
  }
  begin_.resize(history.txn_count() + 1, static_cast<std::uint32_t>(touches_.size()));
  has_odd_reads_ = reader.has_odd_reads();
}

void Footprints::read(TxnReader& reader, TxnId txn) {
  reader.read(txn, {.repeatable = true});
  for (const TxnReader::Touched& touched : reader.touched()) {
    Touch& touch = touches_.emplace_back(Touch{.key = touched.key, .write = touched.write});
    if (touched.read == TxnReader::kNothing) {
      continue;
    }
    const OthersRead& read = reader.reads()[touched.read];
    const bool is_empty_list = read.value.is_none();
    touch.read_mop = read.mop;
    touch.read = is_empty_list ? ValueId::nil() : read.value;
    touch.external_length = read.length;
    touch.is_unwritten = is_empty_list || read.is_unwritten;
  }
  if (reader.contradiction()) {
    contradictory_[txn.index()] = true;
    internal_.push_back({AnomalyType::kInternal, *reader.contradiction()});
  }
}

}  // namespace elapid
