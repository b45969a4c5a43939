#include "parsers/cobra/txn_interpreter.h"

#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/elle_json/edn_text.h"

namespace elapid::cobra {

namespace {

/// Ids above this are none of SpecialId.
constexpr std::uint64_t kLastSpecial = 0xffffffff;

std::int64_t as_signed(std::uint64_t n) {
  return static_cast<std::int64_t>(n);
}

}  // namespace

/// Look-ups miss the cache. In passes over the whole block, those of one pass overlap.
void TxnInterpreter::begin(const LogBlock& block, Layout layout) {
  block_ = &block;
  layout_ = layout;
  for (const OpRecord& op : block.ops) {
    keys_.prefetch(as_signed(op.key));
  }
  for (const TxnRecord& txn : block.txns) {
    txn_ids_.prefetch(as_signed(txn.id));
  }
  block_keys_.clear();
  names_.clear();
  const bool is_universal = is_universal_.value_or(false);
  for (const OpRecord& op : block.ops) {
    block_keys_.push_back(key(op));
    names_.push_back(VersionTable::name(op.write, block_keys_.back()));
    if (is_universal) {
      builder_.values().prefetch(as_signed(op.value_hash));
    } else {
      versions_.prefetch(names_.back());
    }
  }
  if (!is_universal) {
    prefetch_new_values();
  }
}

/// Of versions that no record named so far.
void TxnInterpreter::prefetch_new_values() {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    const std::int64_t write = as_signed(block_->ops[i].write);
    if (!ValueId::fits_inline(write) && versions_.slot(names_[i]).is_empty_slot()) {
      builder_.values().prefetch(write);
    }
  }
}

KeyId TxnInterpreter::key(const OpRecord& op) {
  if (layout_.has_key_texts) {
    text_.clear();
    append_edn_string(block_->key_text(op.key), text_);
    return builder_.key(builder_.values().intern(text_));
  }
  if (const std::uint32_t known = keys_.find(as_signed(op.key)); known != IntMap::kAbsent) {
    return {known};
  }
  const KeyId fresh = builder_.key(builder_.values().integer(as_signed(op.key)));
  keys_.find_or_add(as_signed(op.key), fresh.value);
  return fresh;
}

std::optional<std::span<const MopInput>> TxnInterpreter::interpret(const TxnRecord& txn) {
  mops_.clear();
  if (has_seen(txn.id)) {
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
  txn_ids_.find_or_add(as_signed(txn.id), 0);
  return mops_;
}

/// False if there is a problem_.
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
    case Meaning::kDelete:
      counts_.deletes += op.is_write ? 1 : 0;
      value = builder_.values().integer(kDeleteId);
      break;
    case Meaning::kValueHash:
      value = builder_.values().integer(as_signed(op.value_hash));
      break;
    case Meaning::kVersion:
      value = value_of_version(op, names_[operation]);
      break;
  }
  mops_.push_back({.kind = op.is_write ? OpKind::kWrite : OpKind::kRead,
                   .key = block_keys_[operation],
                   .value = value});
  return !value.is_none();
}

TxnInterpreter::Meaning TxnInterpreter::meaning(const OpRecord& op) {
  const bool is_read_of_initial = !op.is_write && is_initial(op.writer);
  if (op.write > kLastSpecial && !is_read_of_initial) {
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

/// none() if there is a problem_.
ValueId TxnInterpreter::value_of_version(const OpRecord& op, std::uint64_t name) {
  Version& slot = versions_.slot(name);
  const std::uint32_t statement = VersionTable::statement(op.writer, op.value_hash);
  if (slot.is_empty_slot()) {
    const ValueId value = builder_.values().integer(as_signed(op.write));
    unrecorded_ += op.is_write ? 0 : 1;
    versions_.add(slot, {name, value, statement & VersionTable::kStatementBits, op.is_write});
    return value;
  }
  if (op.is_write && slot.is_recorded) {
    problem_ =
        "expected an id that no other write of this key has, found " + hex(op.write) + " again";
    return ValueId::none();
  }
  if (slot.statement != statement) {
    problem_ = "expected what other records say of write " + hex(op.write) +
               ", found another transaction or value hash: " + hex(op.writer) + " and " +
               hex(op.value_hash);
    return ValueId::none();
  }
  if (op.is_write) {
    slot.is_recorded = true;
    --unrecorded_;
  }
  return slot.value;
}

void TxnInterpreter::take_unrecorded(std::uint16_t file, std::vector<UnrecordedWrite>& out) {
  for (const TxnRecord& txn : block_->txns) {
    for (std::size_t i = txn.first_op; i < txn.first_op + txn.op_count; ++i) {
      Version& version = versions_.slot(names_[i]);
      if (version.is_empty_slot() || version.is_recorded) {
        continue;
      }
      version.is_recorded = true;
      --unrecorded_;
      const OpRecord& op = block_->ops[i];
      out.push_back({op.writer, op.write, block_keys_[i], version.value, {file, txn.offset}});
    }
  }
}

/// A transaction that is not taken has recorded nothing.
void TxnInterpreter::take_back(const TxnRecord& txn, std::size_t operations) {
  for (std::size_t i = txn.first_op; i < txn.first_op + operations; ++i) {
    Version& version = versions_.slot(names_[i]);
    if (block_->ops[i].is_write && version.is_recorded) {
      version.is_recorded = false;
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
