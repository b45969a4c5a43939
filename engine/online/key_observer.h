// The receiver of violations found in a key.
#pragma once

#include <cstdint>

#include "engine/online/key_page.h"
#include "engine/online/violation_ledger.h"

namespace elapid {

/// Identifies a read of a key.
struct ReadName {
  Moment at = {};
  Atom reader = {};
  std::uint32_t mop = 0;

  friend auto operator<=>(const ReadName&, const ReadName&) = default;
};

/// The expected result of a read of a register. Empty for a list, since it would be long.
struct Comparison {
  Atom shown = Atom::none();
  Atom expected = Atom::none();
  Atom writer = Atom::none();  ///< of the expected value; none() for the initial value
};

class KeyObserver {
 public:
  virtual ~KeyObserver() = default;

  /// A read has a new state (`before` is kRight if the read is new); or its state is still wrong or
  /// doubtful, perhaps for another reason.
  virtual void on_read(Atom key, const ReadName& read, ReadState before, ReadState now,
                       const Comparison& comparison) = 0;

  /// A read disagrees with its own transaction's earlier operations.
  virtual void on_internal(Atom key, std::uint32_t mop, ViolationFacts facts) = 0;

  /// Two writers of a key overlap; each pair once.
  virtual void on_conflict(Atom key, const OnlineVersion& earlier, const OnlineVersion& later) = 0;
};

}  // namespace elapid
