#include "harness/inject/timestamp_sketches.h"

namespace elapid {

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
