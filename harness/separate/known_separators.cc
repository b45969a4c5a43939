#include "harness/separate/known_separators.h"

#include <array>

namespace elapid {

namespace {

constexpr std::array kKnown = {
    KnownSeparator{"own-append-unread",
                   "A transaction does not read its own append.",
                   true,
                   "0+ ax1 rx",
                   {1, 2}},
    KnownSeparator{"own-future-read",
                   "A transaction reads what it only writes afterwards.",
                   false,
                   "0+ rx1 wx1",
                   {1, 2}},
    KnownSeparator{"session-future-read",
                   "A session reads what only its next transaction writes.",
                   false,
                   "0+ rx1; 0+ wx1",
                   {2, 2}},
    KnownSeparator{"own-write-unseen",
                   "A session does not see its own earlier write.",
                   false,
                   "0+ wx1; 0+ rx_",
                   {2, 2}},
    KnownSeparator{"read-before-write",
                   "A read that had ended before the write began shows what it wrote.",
                   false,
                   "0+ rx1; 1+ wx1",
                   {2, 2}},
    KnownSeparator{"session-future-append",
                   "A session appends behind what only its next transaction appends.",
                   true,
                   "0+ rx2 ax1; 0+ ax2",
                   {2, 3}},
    KnownSeparator{"reads-go-back",
                   "A transaction reads a write, and then no longer.",
                   false,
                   "0> rx_ rx_; 1> wx1; 0+ rx1 rx_; 1+ wx1",
                   {2, 3}},
    KnownSeparator{"session-future-read-forgotten",
                   "A session reads what its next transaction writes, which has not read it.",
                   false,
                   "0+ rx1; 0+ rx_ wx1",
                   {2, 3}},
    KnownSeparator{"append-behind-the-future",
                   "An append comes behind one that only began when it had ended.",
                   true,
                   "0+ rx2 ax1; 1+ ax2",
                   {2, 3}},
    KnownSeparator{"non-repeatable-read",
                   "A transaction reads a key twice, and a write between.",
                   false,
                   "0> rx_ rx_; 1> wx1; 0+ rx_ rx1; 1+ wx1",
                   {2, 3}},
    KnownSeparator{"lost-update",
                   "Two transactions read the same state of a key and both overwrite it.",
                   false,
                   "0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2",
                   {2, 4}},
    KnownSeparator{"write-skew",
                   "Two transactions each write what the other has read before.",
                   false,
                   "0> rx_ wy1; 1> wx1 ry_; 0+ rx_ wy1; 1+ wx1 ry_",
                   {2, 4}},
    KnownSeparator{"own-append-alone",
                   "Two transactions append to a list, and each reads its own append alone.",
                   true,
                   "0> ax1 rx_; 1> ax2 rx_; 0+ ax1 rx1; 1+ ax2 rx2",
                   {2, 4}},
    KnownSeparator{"session-reads-go-back",
                   "A session sees a write, and then no longer.",
                   false,
                   "0> rx_; 1> wx1; 0+ rx1; 0+ rx_; 1+ wx1",
                   {3, 3}},
    KnownSeparator{"session-appends-swapped",
                   "A reader finds a session's second append where the first should be.",
                   true,
                   "0> rx_; 1+ ax2; 1> ax1; 0+ rx1; 1+ ax1",
                   {3, 3}},
    KnownSeparator{"first-write-unseen",
                   "A reader sees a session's second write, and not its first.",
                   false,
                   "0> rx_ ry_; 1+ wx1; 1> wy1; 0+ rx_ ry1; 1+ wy1",
                   {3, 4}},
    KnownSeparator{"fractured-below-a-list",
                   "A reader sees an append, and of the transaction before it only a part.",
                   true,
                   "0> rx_ ry_; 1> ax1 ay1; 2> ax2; 0+ rx12 ry; 1+ ax1 ay1; 2+ ax2",
                   {3, 5}},
    KnownSeparator{"cause-unseen",
                   "A reader sees a write, and not the one that led to it.",
                   false,
                   "0> rx_ ry_; 1> rx_ wy1; 2> wx1; 0+ rx_ ry1; 1+ rx1 wy1; 2+ wx1",
                   {3, 5}},
    KnownSeparator{"long-fork",
                   "Two readers see two appends in opposite orders.",
                   true,
                   "0> rx_ ry_; 1> rx_ ry_; 2> ax1; 3> ay1; 0+ rx ry1; 1+ rx1 ry; 2+ ax1; 3+ ay1",
                   {4, 6}},
    KnownSeparator{"long-fork-seen-first",
                   "Two readers each see one of two writes, and then miss the other.",
                   false,
                   "0> rx_ ry_; 1> ry_ rx_; 2> wx1; 3> wy1; 0+ rx1 ry_; 1+ ry1 rx_; 2+ wx1; 3+ wy1",
                   {4, 6}},
};

}  // namespace

std::span<const KnownSeparator> known_separators() {
  return kKnown;
}

TinyHistory history_of(const KnownSeparator& known) {
  return parse_tiny(known.has_lists ? Workload::kListAppend : Workload::kRwRegister, known.sketch);
}

Result<const KnownSeparator*> find_separator(Model allowing, Model forbidding) {
  for (const KnownSeparator& known : kKnown) {
    ELAPID_ASSIGN_OR_RETURN(const bool separates,
                            is_separator(history_of(known), allowing, forbidding));
    if (separates) {
      return &known;
    }
  }
  return nullptr;
}

}  // namespace elapid
