#include "parsers/cobra/txn_interpreter.h"

#include <algorithm>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"

namespace elapid::cobra {

namespace {

/// Whether an id is between those of SpecialId.
bool may_be_special(std::uint64_t id) {
  return id >= kGcTrueId && id <= kNullId;
}

std::int64_t as_signed(std::uint64_t n) {
  return static_cast<std::int64_t>(n);
}

}  // namespace

/// Prefetches versions that no earlier record named. GCC 12 drops the call unless it is inlined, as
/// if a function that only prefetches had no effect.
[[gnu::always_inline]] inline void TxnInterpreter::prefetch_new_values() {
  for (std::size_t i = 0; i < block_keys_.size(); ++i) {
    const std::uint64_t write = block_->ops[i].write;
    if (!ValueId::fits_inline(as_signed(write)) &&
        versions_.find(write, block_keys_[i]).version == nullptr) {
      builder_.values().prefetch(as_signed(write));
    }
  }
}

/// Look-ups miss the cache. Passes over the whole block let them overlap.
void TxnInterpreter::begin(const LogBlock& block, Layout layout) {
  block_ = &block;
  layout_ = layout;
  for (const TxnRecord& txn : block.txns) {
    txn_ids_.prefetch(as_signed(txn.id));
  }
  block_keys_.clear();
  const bool is_universal = is_universal_.value_or(false);
  for (const OpRecord& op : block.ops) {
    block_keys_.push_back(key(op));
    if (is_universal) {
      builder_.values().prefetch(as_signed(op.value_hash));
    } else {
      versions_.prefetch(op.write, block_keys_.back());
    }
  }
  if (!is_universal) {
    prefetch_new_values();
  }
}

KeyId TxnInterpreter::key(const OpRecord& op) {
  if (layout_.has_key_texts) {
    text_.clear();
    append_edn_string(block_->key_text(op.key), text_);
    return builder_.key(builder_.values().intern(text_));
  }
  return keys_.key(as_signed(op.key));
}

std::optional<std::span<const MopInput>> TxnInterpreter::interpret(const TxnRecord& txn) {
  mop_count_ = 0;
  mops_.resize(std::max(mops_.size(), txn.op_count));
  const auto fresh = static_cast<std::uint32_t>(txn_ids_.size());
  if (txn_ids_.number(as_signed(txn.id)) != fresh) {
    error_ = malformed_at(txn.offset, "expected transactions with ids of their own, found " +
                                          hex(txn.id) + " a second time");
    return std::nullopt;
  }
  for (std::size_t i = 0; i < txn.op_count; ++i) {
    if (!add(txn.first_op + i)) {
      error_ = malformed_at(offset_of(txn, i), std::move(problem_));
      take_back(txn, i);
      return std::nullopt;
    }
  }
  return std::span<const MopInput>(mops_).first(mop_count_);
}

/// Adds an operation; false after a problem_.
bool TxnInterpreter::add(std::size_t operation) {
  const OpRecord& op = block_->ops[operation];
  ValueId value = initial_;
  switch (meaning(op)) {
    case Meaning::kContradiction:
      return false;
    case Meaning::kInitial:
      if (op.is_write) {
        ++counts_.initial_writes;
        return true;
      }
      break;
    case Meaning::kDelete:  // restores the initial state, which later reads see
      counts_.deletes += op.is_write ? 1 : 0;
      break;
    case Meaning::kValueHash:
      value = builder_.values().integer(as_signed(op.value_hash));
      break;
    case Meaning::kVersion:
      value = value_of_version(op, block_keys_[operation]);
      break;
  }
  mops_[mop_count_++] = {.kind = op.is_write ? OpKind::kWrite : OpKind::kRead,
                         .key = block_keys_[operation],
                         .value = value};
  return !value.is_none();
}

TxnInterpreter::Meaning TxnInterpreter::meaning(const OpRecord& op) {
  const bool is_read_of_initial = !op.is_write && is_initial(op.writer);
  if (!may_be_special(op.write) && !is_read_of_initial) {
    return meaning_of_write(op.write);
  }
  const bool is_gc = op.write == kGcTrueId || op.write == kGcFalseId;
  if (is_read_of_initial && !is_initial(op.write) && !is_gc) {
    problem_ = "expected a read of the initial state, since that is its writer, found write " +
               hex(op.write);
    return Meaning::kContradiction;
  }
  if (is_initial(op.write) && !op.is_write && !is_read_of_initial) {
    problem_ = "expected a read of a write of transaction " + hex(op.writer) +
               ", found the id of the initial state, " + hex(op.write);
    return Meaning::kContradiction;
  }
  if (is_read_of_initial || is_initial(op.write)) {
    return Meaning::kInitial;
  }
  return op.write == kDeleteId ? Meaning::kDelete : meaning_of_write(op.write);
}

TxnInterpreter::Meaning TxnInterpreter::meaning_of_write(std::uint64_t write) {
  const bool is_universal = write == kUniversalId;
  if (!is_universal_) {
    is_universal_ = is_universal;
  }
  if (is_universal == *is_universal_) {
    return is_universal ? Meaning::kValueHash : Meaning::kVersion;
  }
  problem_ = is_universal ? "expected a write with an id of its own, found the id of all writes "
                            "in the dialect universal, "
                          : "expected the id of all writes in the dialect universal, found ";
  problem_ += hex(write);
  return Meaning::kContradiction;
}

/// The value of a version; none() after a problem_.
ValueId TxnInterpreter::value_of_version(const OpRecord& op, KeyId key) {
  const std::uint32_t statement = VersionTable::statement(op.writer, op.value_hash);
  const VersionTable::Found found = versions_.find(op.write, key);
  if (found.version == nullptr) {
    const ValueId value = builder_.values().integer(as_signed(op.write));
    unrecorded_ += op.is_write ? 0 : 1;
    versions_.add(op.write, key, value, {statement & VersionTable::kStatementBits, op.is_write});
    return value;
  }
  if (op.is_write && found.version->is_recorded) {
    problem_ =
        "expected an id that no other write of this key has, found " + hex(op.write) + " again";
    return ValueId::none();
  }
  if (found.version->statement != statement) {
    problem_ = "expected what other records say of write " + hex(op.write) +
               ", found another transaction or value hash: " + hex(op.writer) + " and " +
               hex(op.value_hash);
    return ValueId::none();
  }
  if (op.is_write) {
    found.version->is_recorded = true;
    --unrecorded_;
  }
  return found.value;
}

void TxnInterpreter::take_unrecorded(std::uint16_t file, std::vector<UnrecordedWrite>& out) {
  for (const TxnRecord& txn : block_->txns) {
    for (std::size_t i = txn.first_op; i < txn.first_op + txn.op_count; ++i) {
      const OpRecord& op = block_->ops[i];
      const VersionTable::Found found = versions_.find(op.write, block_keys_[i]);
      if (found.version == nullptr || found.version->is_recorded) {
        continue;
      }
      found.version->is_recorded = true;
      --unrecorded_;
      out.push_back({op.writer, op.write, block_keys_[i], found.value, {file, txn.offset}});
    }
  }
}

/// Removes the records of a transaction that is not taken.
void TxnInterpreter::take_back(const TxnRecord& txn, std::size_t operations) {
  taken_back_.find_or_add(as_signed(txn.id), 0);
  for (std::size_t i = txn.first_op; i < txn.first_op + operations; ++i) {
    Version* version = versions_.find(block_->ops[i].write, block_keys_[i]).version;
    if (block_->ops[i].is_write && version != nullptr && version->is_recorded) {
      version->is_recorded = false;
      ++unrecorded_;
    }
  }
}

std::uint64_t TxnInterpreter::offset_of(const TxnRecord& txn, std::size_t operation) const {
  std::uint64_t offset = txn.offset + (layout_.has_times ? 17 : 9);
  for (std::size_t i = txn.first_op; i < txn.first_op + operation; ++i) {
    const OpRecord& op = block_->ops[i];
    const std::size_t key_bytes =
        layout_.has_key_texts ? 4 + block_->key_text(op.key).size() : std::size_t{8};
    offset += (op.is_write ? 17 : 25) + key_bytes;
  }
  return offset;
}

}  // namespace elapid::cobra
