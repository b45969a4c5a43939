#include "engine/elle/record_hash.h"

#include "engine/elle/value_hash.h"

namespace elapid::elle {

namespace {

using Hash = std::uint32_t;

Hash value_hash(const History& history, ValueId value) {
  return hash_of(history, value, HashCode::kJava);
}

constexpr Hash integer_hash(std::int64_t n) {
  const auto bits = static_cast<std::uint64_t>(n);
  return static_cast<Hash>(bits ^ (bits >> 32));
}

/// The micro-operations as the vector of vectors that they are in the record.
Hash mops_hash(const History& history, TxnId txn) {
  static const Hash kRead = java_keyword_hash("r");
  static const Hash kWrite = java_keyword_hash("w");
  Hash hash = 1;
  for (const Op op : history.ops(txn)) {
    Hash mop = with_element(1, op.is_write() ? kWrite : kRead);
    mop = with_element(mop, value_hash(history, history.key_value(op.key())));
    hash = with_element(hash, with_element(mop, value_hash(history, op.value())));
  }
  return hash;
}

/// :ok, :fail or :info.
Hash type_hash(TxnStatus status) {
  static const Hash kOk = java_keyword_hash("ok");
  static const Hash kInfo = java_keyword_hash("info");
  static const Hash kFail = java_keyword_hash("fail");
  return status == TxnStatus::kCommitted ? kOk : status == TxnStatus::kAborted ? kFail : kInfo;
}

/// The hashes of a record's keys, which are the same in all.
struct KeyHashes {
  Hash index = java_keyword_hash("index");
  Hash time = java_keyword_hash("time");
  Hash type = java_keyword_hash("type");
  Hash process = java_keyword_hash("process");
  Hash f = java_keyword_hash("f");
  Hash value = java_keyword_hash("value");
};

}  // namespace

std::uint32_t record_hash(const History& history, TxnId txn) {
  static const KeyHashes kKeys;
  constexpr std::int64_t kNoTime = -1;  // what Jepsen's record then holds
  const Event event = history.event(txn, EventKind::kCompletion);
  return (kKeys.index ^ integer_hash(event.index)) +
         (kKeys.time ^ integer_hash(event.time.value_or(kNoTime))) +
         (kKeys.type ^ type_hash(history.status(txn))) +
         (kKeys.process ^ integer_hash(history.session_name(history.session(txn)))) +
         (kKeys.f ^ value_hash(history, history.info().f)) +
         (kKeys.value ^ mops_hash(history, txn));
}

}  // namespace elapid::elle
