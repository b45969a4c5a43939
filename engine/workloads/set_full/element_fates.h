// The fate of each element of a set, by its adds and all reads.
//
//   add 1 ok, read [1], read []          1 is lost: a later read does not show it
//   add 2 ok, read [], read [2]          2 is stable, and was stale for a while
//   add 3 info, read [1]                 3 is never read: nothing shows that it was added
//
// An element is *known* from the completion of its add, or of the first read that shows it. Take
// the reads that end after its add began. The element is *stable* if the one that began last among
// those with it began after all those without it. It is *lost* if it is known, and a read without
// it began after that and after all reads with it began. A second add of an element starts afresh.
// After jepsen.checker/set-full.
//
// The reads are visited from the one that began last to the first. A list has the elements that no
// read missed so far, by the time of their adds. Each read visits those whose add began before its
// end: it shows them, or they leave the list. So the work is linear in the shown elements.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ir/history.h"

namespace elapid {

struct ElementFate {
  enum class Outcome : std::uint8_t { kStable, kLost, kNeverRead };

  ValueId element;
  EventId added;                       ///< the invocation of the counted add
  TxnId known = TxnId::none();         ///< the add or the read whose completion shows the element
  TxnId last_present = TxnId::none();  ///< the read with the element that began last
  TxnId last_absent = TxnId::none();   ///< the read without it that began last
  Outcome outcome = Outcome::kNeverRead;
  bool is_stale = false;  ///< stable, but a read without it began after it was known
  /// Milliseconds from when it was known until it was stable, or lost. Nothing for an element that
  /// was never read, and in a history without times.
  std::optional<std::int64_t> latency = {};
};

/// A wrongly shown element.
struct OddElement {
  ValueId element;
  TxnId read;                       ///< the first read that shows it
  EventId added = EventId::none();  ///< the first invocation of an add
  std::uint32_t times = 1;          ///< how often that read shows it
  bool was_refused = false;         ///< all its adds failed
};

struct ElementFates {
  std::vector<ElementFate> fates = {};      ///< sorted by element: see ValueOrder
  std::vector<OddElement> unexpected = {};  ///< shown before any add of it began, or without one;
                                            ///< or all its adds failed
  std::vector<OddElement> duplicated = {};  ///< shown several times by one read, at most so often
};

/// `is_jepsen`: by Jepsen's rules a successful read of nil shows the empty set (else nothing),
/// and a missing time is -1 (else unknown). Linear in the elements that reads show, besides
/// sorting.
[[nodiscard]] ElementFates element_fates(const History& history, bool is_jepsen);

/// The event at which an operation began: its invocation, or else its completion.
[[nodiscard]] EventId beginning_of(const History& history, TxnId txn);

}  // namespace elapid
