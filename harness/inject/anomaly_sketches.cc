#include "harness/inject/anomaly_sketches.h"

#include <algorithm>

namespace elapid {

namespace {

using T = AnomalyType;

constexpr std::array kAnomalySketches = {
    // A long fork: two readers see two writes in opposite orders.
    AnomalySketch{T::kGNonadjacentItem,
                  "0> ax1; 1> ay1; 2> rx_ ry_; 3> rx_ ry_; 0+ ax1; 1+ ay1; 2+ rx1 ry; 3+ rx ry1",
                  "0> wx1; 1> wy1; 2> rx_ ry_; 3> rx_ ry_; 0+ wx1; 1+ wy1; 2+ rx1 ry_; 3+ rx_ ry1"},
    // The first reader's write of x replaced by its session: it wrote x before.
    AnomalySketch{T::kGNonadjacentItemProcess,
                  "1> ay1; 2> rx_ ry_; 0+ ax1; 0+ ry; 1+ ay1; 2+ rx ry1",
                  "1> wy1; 2> rx_ ry_; 0+ wx1; 0+ ry_; 1+ wy1; 2+ rx_ ry1"},
    AnomalySketch{T::kGNonadjacentItemRealtime,
                  "1> ay1; 2> rx_ ry_; 0+ ax1; 3+ ry; 1+ ay1; 2+ rx ry1",
                  "1> wy1; 2> rx_ ry_; 0+ wx1; 3+ ry_; 1+ wy1; 2+ rx_ ry1"},
    // A fractured read.
    AnomalySketch{T::kGSingleItem, "0> rx_ ry_; 1+ ax1 ay1; 0+ rx ry1",
                  "0> rx_ ry_; 1+ wx1 wy1; 0+ rx_ ry1"},
    // A stale read of the own session's write, and of another's.
    AnomalySketch{T::kGSingleItemProcess, "0+ ax1; 0+ rx", "0+ wx1; 0+ rx_"},
    AnomalySketch{T::kGSingleItemRealtime, "0+ ax1; 1+ rx", "0+ wx1; 1+ rx_"},
    AnomalySketch{T::kG0, "0> ax1 ay1; 1> ax2 ay2; 0+ ax1 ay1; 1+ ax2 ay2; 2+ rx12 ry21"},
    AnomalySketch{T::kG0Process, "0+ ax1; 0+ ax2; 1+ rx21"},
    AnomalySketch{T::kG0Realtime, "0+ ax1; 1+ ax2; 2+ rx21"},
    AnomalySketch{T::kG1a, "0> ax1; 1> rx_; 0- ax1; 1+ rx1", "0> wx1; 1> rx_; 0- wx1; 1+ rx1"},
    // A list that lacks an element of a transaction is also an anti-dependency on it.
    AnomalySketch{.type = T::kG1b,
                  .lists = "0> ax1 ax2; 1> rx_; 0+ ax1 ax2; 1+ rx1; 2+ rx12",
                  .registers = "0> wx1 wx2; 1> rx_; 0+ wx1 wx2; 1+ rx1",
                  .companions_in_lists = {T::kGSingleItem}},
    AnomalySketch{T::kG1c, "0> ax1 ry_; 1> rx_ ay1; 0+ ax1 ry1; 1+ rx1 ay1",
                  "0> wx1 ry_; 1> rx_ wy1; 0+ wx1 ry1; 1+ rx1 wy1"},
    AnomalySketch{T::kG1cProcess, "0> ry_; 1> rx_ ay1; 0+ ry1; 0+ ax1; 1+ rx1 ay1",
                  "0> ry_; 1> rx_ wy1; 0+ ry1; 0+ wx1; 1+ rx1 wy1"},
    AnomalySketch{T::kG1cRealtime, "0> ry_; 1> rx_ ay1; 0+ ry1; 2+ ax1; 1+ rx1 ay1",
                  "0> ry_; 1> rx_ wy1; 0+ ry1; 2+ wx1; 1+ rx1 wy1"},
    // A write skew.
    AnomalySketch{T::kG2Item, "0> rx_ ay1; 1> ry_ ax1; 0+ rx ay1; 1+ ry ax1; 2+ rx1 ry1",
                  "0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1"},
    AnomalySketch{T::kG2ItemProcess, "0> rx_ ay1; 1+ ax1; 1> ry_; 0+ rx ay1; 1+ ry; 2+ rx1 ry1",
                  "0> rx_ wy1; 1+ wx1; 1> ry_; 0+ rx_ wy1; 1+ ry_"},
    AnomalySketch{T::kG2ItemRealtime, "0> rx_ ay1; 1+ ax1; 2> ry_; 0+ rx ay1; 2+ ry; 3+ rx1 ry1",
                  "0> rx_ wy1; 1+ wx1; 2> ry_; 0+ rx_ wy1; 2+ ry_"},
    AnomalySketch{.type = T::kDirtyUpdate,
                  .lists = "0> ax1; 1> ax2; 0- ax1; 1+ ax2; 2+ rx12",
                  .companions_in_lists = {T::kG1a}},
    AnomalySketch{T::kDuplicateElements, "0+ ax1; 1+ rx11"},
    AnomalySketch{T::kFutureRead, "0+ rx1 ax1", "0+ rx1 wx1"},
    AnomalySketch{T::kGarbageRead, "0+ rx1", "0+ rx1"},
    AnomalySketch{T::kIncompatibleOrder,
                  "0> ax1; 1> ax2; 2> rx_; 3> rx_; 0+ ax1; 1+ ax2; 2+ rx12; 3+ rx21"},
    AnomalySketch{T::kInternal, "0+ ax1 rx", "0+ wx1 rx_"},
    AnomalySketch{.type = T::kLostUpdate,
                  .lists = "0+ ax1; 1> rx_ ax2; 2> rx_ ax3; 1+ rx1 ax2; 2+ rx1 ax3; 3+ rx123",
                  .registers = "0+ wx1; 1> rx_ wx2; 2> rx_ wx3; 1+ rx1 wx2; 2+ rx1 wx3",
                  .companions_in_lists = {T::kGSingleItem}},
};

}  // namespace

std::span<const AnomalySketch> anomaly_sketches() {
  return kAnomalySketches;
}

const AnomalySketch* find_sketch(AnomalyType type) {
  const auto* found = std::ranges::find(kAnomalySketches, type, &AnomalySketch::type);
  return found == kAnomalySketches.end() ? nullptr : &*found;
}

namespace {

using A = TimestampAxiom;

constexpr std::array kAxiomSketches = {
    TimestampSketch{A::kInt, "0+ ax1 rx", "0+ wx1 rx_", {{{1, 2}, {}}}},
    // Clients know no order between the two; timestamps do.
    TimestampSketch{A::kExt,
                    "0> ax1; 1> rx_; 0+ ax1; 1+ rx",
                    "0> wx1; 1> rx_; 0+ wx1; 1+ rx_",
                    {{{1, 2}, {3, 4}}}},
    TimestampSketch{A::kNoConflict,
                    "0> ax1; 1> ax2; 0+ ax1; 1+ ax2",
                    "0> wx1; 1> wx2; 0+ wx1; 1+ wx2",
                    {{{1, 3}, {2, 4}}}},
    TimestampSketch{A::kSession, "0+ ax1; 0+ ay1", "0+ wx1; 0+ wy1", {{{3, 4}, {1, 2}}}},
    TimestampSketch{A::kRealTime, "0+ ax1; 1+ ay1", "0+ wx1; 1+ wy1", {{{3, 4}, {1, 2}}}},
    TimestampSketch{A::kStartFirst, "0+ ax1", "0+ wx1", {{{2, 1}, {}}}},
};

}  // namespace

std::span<const TimestampSketch> timestamp_sketches() {
  return kAxiomSketches;
}

}  // namespace elapid
