// Decides, key by key, how reads of the initial state are written.
//
// A read of nil, or of the value that the source calls initial, may have seen the initial state. If
// a transaction also writes that value, the read may have seen that write instead: some serial
// orders put the read before the first write, others after the write of that value. A format keeps
// this choice only if a write can stand for the initial state too. Any other text says more than
// the source, and can turn a verdict around.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/history.h"
#include "parsers/convert/target.h"

namespace elapid {

/// First notes all reads and writes of a history of registers, then decides, then answers.
class InitialState {
 public:
  InitialState() = default;
  /// `leaves_out_txn`: a recorded initial transaction is not written, since the format does not
  /// need it, and what it wrote is the initial state.
  InitialState(const History& history, bool leaves_out_txn);

  /// A write of a transaction that is written and may have committed.
  void note_write(KeyId key, ValueId value);
  /// What a committed transaction saw, except for what it had written itself.
  void note_read(KeyId key, ValueId value);

  /// Chooses for each key what stands for its initial state in the format.
  void decide(const Target& target);

  /// Whether a read of this value is written as one of the initial state.
  [[nodiscard]] bool is_initial_read(KeyId key, ValueId value) const;
  /// Whether a write of this value is written as one that brings the initial state back.
  [[nodiscard]] bool is_initial_write(KeyId key, ValueId value) const;

  /// Reads that may have seen the initial state or a write, and are written as seeing the write.
  [[nodiscard]] std::uint64_t narrowed_reads() const { return narrowed_reads_; }

  /// Reads that saw the initial state, or of nil behind an initial transaction nothing that there
  /// was, and are written as if they could have seen something else.
  [[nodiscard]] std::uint64_t widened_reads() const { return widened_reads_; }

  /// Whether the format says which value is initial, so that all is written as it is.
  [[nodiscard]] bool is_declared() const { return is_declared_; }

 private:
  /// A value that stands for the initial state in the source.
  struct Name {
    ValueId value = ValueId::none();
    std::uint32_t reads = 0;
    bool is_written = false;
    bool is_initial = false;  // is written as the initial state, by reads and by writes
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
  bool has_declared_value_ = false;
  bool is_behind_initial_txn_ = false;
  bool is_declared_ = false;
  std::uint64_t narrowed_reads_ = 0;
  std::uint64_t nils_behind_initial_txn_ = 0;
  std::uint64_t widened_reads_ = 0;
};

}  // namespace elapid
