// What became of each element of a set, by its adds and all reads.
//
//   add 1 ok, read [1], read []          1 is lost: a later read does not show it
//   add 2 ok, read [], read [2]          2 is stable, and was stale for a while
//   add 3 info, read [1]                 3 is never read: nothing shows that it was added
//
// An element is *known* from the completion of its add, or of the first read that shows it. It is
// *stable* if of the reads that end after its add began, the one that began last among those that
// show it began after all that do not. It is *lost* if it is known, and a read that began after
// that, and after all reads that show it, does not show it. An element that is added again starts
// afresh. After jepsen.checker/set-full.
//
// The reads are taken from the one that began last to the first. A list has the elements that no
// read missed yet, by the time of their adds. Each read walks over those that were being added
// before it ended: it shows them, or they leave the list. So the work is linear in what reads show.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

struct ElementFate {
  enum class Outcome : std::uint8_t { kStable, kLost, kNeverRead };

  ValueId element;
  EventId added;                       ///< the invocation of the add that counts
  TxnId known = TxnId::none();         ///< the add or the read whose completion shows the element
  TxnId last_present = TxnId::none();  ///< of the reads that show it the one that began last
  TxnId last_absent = TxnId::none();   ///< of those that do not
  Outcome outcome = Outcome::kNeverRead;
  bool is_stale = false;  ///< stable, but a read that began after it was known does not show it
  /// Milliseconds from when it was known until it was stable, or lost. Nothing for an element that
  /// was never read, and where the history has no times.
  std::optional<std::int64_t> latency = {};
};

/// A read that shows what it must not.
struct OddElement {
  ValueId element;
  TxnId read;                       ///< the first one
  EventId added = EventId::none();  ///< the first invocation of an add, after the read's end
  std::uint32_t times = 1;          ///< that it is shown there
};

struct ElementFates {
  std::vector<ElementFate> fates = {};      ///< sorted by element: see ElementOrder
  std::vector<OddElement> unexpected = {};  ///< shown before any add of it began, or without one
  std::vector<OddElement> duplicated = {};  ///< shown several times by one read, at most so often
};

/// `is_jepsen`: as to Jepsen, reads that succeeded with nil show the empty set, else nothing; and a
/// time that is missing is -1, else unknown. Linear in the elements that reads show, beside
/// sorting.
[[nodiscard]] ElementFates element_fates(const History& history, bool is_jepsen);

/// The event at which an operation began: its invocation, else its completion.
[[nodiscard]] EventId beginning_of(const History& history, TxnId txn);

}  // namespace elapid
