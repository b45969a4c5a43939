// The edges of a timeline: curves from bar to bar, with labels if there is room.
#pragma once

#include <string>

#include "adapter/report/exhibit.h"
#include "adapter/report/views/timeline_layout.h"

namespace elapid {

struct TimelineEdges {
  std::string svg = {};
  double right = 0;  ///< of the labels
};

/// The certain edges of the exhibit, between transactions that are shown.
[[nodiscard]] TimelineEdges timeline_edges(const Exhibit& exhibit, const TimelineLayout& layout);

}  // namespace elapid
