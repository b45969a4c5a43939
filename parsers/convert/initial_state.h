// Decides, key by key, how reads of the initial state are written.
//
// A read of nil, or of the source's initial value, may have seen the initial state. If a
// transaction also writes that value, the read may have seen that write instead: some serial orders
// put the read before the first write, others after the write of that value. A format keeps this
// choice only if a write can stand for the initial state too. Any other text says more than the
// source, and can reverse a verdict.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "parsers/convert/target.h"

namespace elapid {

/// What a read of nil may have seen in the source.
enum class NilReads : std::uint8_t {
  kInitial,   ///< the initial state, or a write of nil
  kAnything,  ///< any value; in the format, the initial state
  kStayOpen,  ///< any value, in the format too
};

/// Notes all reads and writes of a history of registers first, then decides, then answers.
class InitialState {
 public:
  InitialState() = default;
  /// `leaves_out_txn`: a recorded initial transaction is not written, because the format does not
  /// need it; its writes are then the initial state.
  InitialState(const History& history, bool leaves_out_txn, NilReads nil_reads);

  /// Notes a write of a written transaction that may have committed.
  void note_write(KeyId key, ValueId value);
  /// Notes a read of a committed transaction, except reads of its own writes.
  void note_read(KeyId key, ValueId value);

  /// Chooses for each key the sign of its initial state in the format.
  void decide(const Target& target);

  /// Whether a read of this value is written as one of the initial state.
  [[nodiscard]] bool is_initial_read(KeyId key, ValueId value) const;
  /// Whether a write of this value is written as one that restores the initial state.
  [[nodiscard]] bool is_initial_write(KeyId key, ValueId value) const;

  /// Reads that may have seen the initial state or a write, and are written as seeing the write.
  [[nodiscard]] std::uint64_t narrowed_reads() const { return narrowed_reads_; }

  /// Reads that saw the initial state, but are written as if they might have seen something else.
  /// With an initial transaction: also reads of nil, which saw no value at all.
  [[nodiscard]] std::uint64_t widened_reads() const { return widened_reads_; }

  /// Reads that may have seen anything, and are written as seeing the initial state.
  [[nodiscard]] std::uint64_t closed_reads() const { return closed_reads_; }

  /// Whether the format declares the initial value, so that all values are written as they are.
  [[nodiscard]] bool is_declared() const { return is_declared_; }

 private:
  /// A value that means the initial state in the source.
  struct Name {
    ValueId value = ValueId::none();
    std::uint32_t reads = 0;
    bool is_written = false;
    bool is_initial = false;  // is written as the initial state, in reads and writes
  };

  /// nil, and the value that the source declares or records.
  struct Names {
    Name nil;
    Name declared;
  };

  template <class SomeNames>
  [[nodiscard]] static auto find(SomeNames& names, ValueId value);
  void decide(const Target& target, Name& name, const Name& other);
  void count_losses(const Names& names);
  void declare();

  std::vector<Names> names_;  // by key
  NilReads nil_reads_ = NilReads::kInitial;
  bool has_declared_value_ = false;
  bool is_behind_initial_txn_ = false;
  bool is_declared_ = false;
  std::uint64_t narrowed_reads_ = 0;
  std::uint64_t nils_behind_initial_txn_ = 0;
  std::uint64_t widened_reads_ = 0;
  std::uint64_t closed_reads_ = 0;
};

}  // namespace elapid
