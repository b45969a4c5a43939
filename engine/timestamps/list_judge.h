// Judges reads of lists and appends, in the order of time.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/timestamps/key_judge.h"

namespace elapid {

/// A key's state is its committed list, and the length of its common prefix with the longest list
/// read of the key. So reads that are prefixes of the longest list are compared by length, others
/// element by element. 48 bytes a key and 4 an append.
class ListJudge {
 public:
  explicit ListJudge(const JudgeContext& context)
      : context_(context), keys_(context.history.key_count()) {}

  /// Begins the reads of a transaction, and ends those of the previous one.
  void begin(TxnId /*txn*/) { own_count_ = 0; }

  /// Tests an operation of the transaction, before the transaction's appends take effect.
  void look_at(TxnId txn, std::uint32_t mop, Op op) {
    Own& own = own_of(keys_[op.key().index()], txn);
    if (op.is_read()) {
      judge(own, txn, mop, op);
      own.last_read = op;
      own.has_read = true;
      own.appended.clear();
    } else {
      own.appended.push_back(op.value());
    }
  }

  /// An append takes effect. `started`: the time of the transaction's reads.
  void install(TxnId txn, Op op, std::int64_t time, std::int64_t started);

  [[nodiscard]] TiedKeys& tied() { return tied_; }

  /// What was found since the last call.
  [[nodiscard]] SweepFindings take() { return std::exchange(found_, {}); }

 private:
  struct State {
    std::vector<ValueId> list = {};
    std::int64_t time = 0;          // of the version
    std::uint32_t agreeing = 0;     // length of the common prefix with the trunk
    TxnId writer = TxnId::none();   // of the version; none(): it is the initial one
    TxnId toucher = TxnId::none();  // the last transaction that looked at the list
    std::uint32_t own = 0;          // the operations of that transaction, in owns_
  };

  /// The operations of a transaction on a key so far.
  struct Own {
    Op last_read = {};
    bool has_read = false;
    std::vector<ValueId> appended = {};  // since that read
  };

  Own& own_of(State& state, TxnId txn);
  [[nodiscard]] std::span<const ValueId> elements(Op read) const;
  [[nodiscard]] bool is_list(const State& state, Op read, std::size_t length) const;
  [[nodiscard]] bool continues(Op read, const Own& own) const;
  [[nodiscard]] bool explained_by_maybe(const State& state, std::span<const ValueId> base,
                                        KeyId key) const;
  void judge(const Own& own, TxnId txn, std::uint32_t mop, Op op);
  void judge_external(const State& state, const Own& own, TxnId txn, std::uint32_t mop, Op op);

  const JudgeContext& context_;
  std::vector<State> keys_;
  std::vector<Own> owns_;
  std::uint32_t own_count_ = 0;  // number of owns_ in use
  TiedKeys tied_;
  SweepFindings found_;
};

}  // namespace elapid
