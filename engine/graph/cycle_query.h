// A class of cycles, in terms of edge labels. Example: G-single-item-process, which has one
// anti-dependency and at least one step of session order, is
//
// ```cpp
// const CycleQuery query = {.base = kWwEdge | kWrEdge | kProcessEdge,
//                           .rw = kRwEdge,
//                           .mode = RwMode::kSingle,
//                           .required = {kProcessEdge, 0}};
// CycleState state = CycleState::start(query).after(query, kRwEdge);
// CHECK_FALSE(state.accepts(query));
// CHECK(state.after(query, kProcessEdge).accepts(query));
// ```
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "engine/graph/edge_label.h"

namespace elapid {

/// The number of anti-dependencies that a cycle takes.
enum class RwMode : std::uint8_t {
  kNone,         ///< only if `base` contains them
  kSingle,       ///< exactly once
  kNonadjacent,  ///< at least twice, never twice in a row; the last and the first step count as
                 ///< neighbours
  kMultiple,     ///< at least twice; `base` contains them as well
};

/// A class of cycles.
struct CycleQuery {
  EdgeLabel base = 0;  ///< labels that may be taken any number of times
  EdgeLabel rw = 0;    ///< labels that `mode` is about
  RwMode mode = RwMode::kNone;
  /// From each of these sets of labels the walk must take at least one; 0 demands nothing.
  std::array<EdgeLabel, 2> required = {0, 0};

  [[nodiscard]] constexpr EdgeLabel mentioned() const { return base | rw; }
};

/// One edge of a cycle, and the label for which it was taken.
struct CycleEdge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  EdgeLabel label = 0;
  friend bool operator==(const CycleEdge&, const CycleEdge&) = default;
};

/// Single labels, in the order in which they are tried.
class LabelChoices {
 public:
  void add(EdgeLabel label) { labels_[size_++] = label; }

  [[nodiscard]] const EdgeLabel* begin() const { return labels_.data(); }

  [[nodiscard]] const EdgeLabel* end() const { return labels_.data() + size_; }

 private:
  std::array<EdgeLabel, 8> labels_ = {};
  std::size_t size_ = 0;
};

/// The progress of a walk through a query: the labels that it still has to take. Few values.
class CycleState {
 public:
  /// Distinct values of code().
  static constexpr std::uint32_t kCodes = 32;

  static CycleState start(const CycleQuery& query);

  /// The labels for which an edge may be taken now. Every rw label and every missing required label
  /// is a choice of its own; of the other labels only the first in bit order matters. A walk starts
  /// with an rw edge if the query wants one, otherwise with a required label.
  [[nodiscard]] LabelChoices choices(const CycleQuery& query, EdgeLabel edge,
                                     bool first_step) const;
  /// The state after taking one label.
  [[nodiscard]] CycleState after(const CycleQuery& query, EdgeLabel taken) const;
  /// Whether a walk in this state may close.
  [[nodiscard]] bool accepts(const CycleQuery& query) const;

  [[nodiscard]] std::uint32_t code() const {
    return rw_wanted_ | static_cast<std::uint32_t>(last_was_rw_) << 2 |
           static_cast<std::uint32_t>(required_missing_) << 3;
  }

 private:
  std::uint8_t rw_wanted_ = 0;  // 0 to 2
  bool last_was_rw_ = false;
  std::uint8_t required_missing_ = 0;  // a bit a set
};

}  // namespace elapid
