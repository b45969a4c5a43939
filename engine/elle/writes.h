// The writers of each value, as Elle's indices have them: (key, value) -> events.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/hash_index.h"
#include "engine/ir/history.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle {

/// The events that wrote one value to one key. Of several of a kind, Elle keeps the last.
struct Write {
  KeyId key;
  ValueId value;
  TxnId completed;  ///< by its completion, of any type
  TxnId possible;   ///< by a completion of :ok or :info
  TxnId failed;     ///< by a completion of :fail
  /// For the event, an invocation or a completion, that itself overwrote the value;
  /// `overwritten_at` is none if no event did.
  EventId overwritten_at;
  EventRef overwriter;
  std::uint8_t invocations = 0;  ///< the number of invocations of the write, counted up to 2
  std::uint32_t position = 0xffffffffU;  ///< lists: place in the version order, if it has one
};

/// The values that events write, and further added values. 40 bytes a value.
class Writes {
 public:
  static constexpr std::uint32_t kAbsent = HashIndex::kAbsent;

  /// From all operations of kind `write`. Linear.
  Writes(const History& history, OpKind write);

  /// The place of a value among all(), or kAbsent.
  [[nodiscard]] std::uint32_t place(KeyId key, ValueId value) const;

  /// The entry of a value; nullptr if there is none.
  [[nodiscard]] const Write* find(KeyId key, ValueId value) const {
    const std::uint32_t at = place(key, value);
    return at == kAbsent ? nullptr : &writes_[at];
  }

  /// The entry of a value, made if there is none.
  Write& add(KeyId key, ValueId value);

  [[nodiscard]] const std::vector<Write>& all() const { return writes_; }

 private:
  void add_event(const History& history, EventRef event, std::span<const Op> ops, bool is_invoked);
  void note_completion(Write& write, TxnId txn, TxnStatus status);

  struct Latest {
    EventId event;
    ValueId value;
  };

  OpKind kind_;
  std::vector<Write> writes_;
  HashIndex index_;
  std::vector<Latest> latest_;  // by key, for the current event
};

/// The operations of an invocation, for their writes; the results of its reads may be unknown.
[[nodiscard]] std::span<const Op> invoked_ops(const History& history, TxnId txn);

/// The event that wrote and itself overwrote the value, unless the event is the completion of
/// `reader`. If `reader` shows the value, Elle calls that G1b.
[[nodiscard]] std::optional<EventRef> intermediate_writer(const Write& write, TxnId reader);

}  // namespace elapid::elle
