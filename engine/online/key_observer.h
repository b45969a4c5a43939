// The receiver of violations found in a key.
#pragma once

#include <cstdint>

#include "engine/online/key_page.h"
#include "engine/online/violation_ledger.h"

namespace elapid {

/// What identifies a read of a key.
struct ReadName {
  Moment at = {};
  Atom reader = {};
  std::uint32_t mop = 0;

  friend auto operator<=>(const ReadName&, const ReadName&) = default;
};

/// What a read of a register was compared with. Of a list nothing, since it would be long.
struct Comparison {
  Atom shown = Atom::none();
  Atom expected = Atom::none();
  Atom writer = Atom::none();  ///< of what was expected; none() if that is the initial value
};

class KeyObserver {
 public:
  virtual ~KeyObserver() = default;

  /// A read has another state than before (kRight if it is new), or had that of something wrong or
  /// doubtful and still has it, but maybe for another reason.
  virtual void on_read(Atom key, const ReadName& read, ReadState before, ReadState now,
                       const Comparison& comparison) = 0;

  /// A read disagrees with what its own transaction did before.
  virtual void on_internal(Atom key, std::uint32_t mop, ViolationFacts facts) = 0;

  /// Two writers of a key overlap; each pair once.
  virtual void on_conflict(Atom key, const OnlineVersion& earlier, const OnlineVersion& later) = 0;
};

}  // namespace elapid
