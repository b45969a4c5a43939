#include "engine/levels/level_axioms.h"

#include <initializer_list>
#include <optional>

#include "engine/levels/cycle_levels.h"
#include "engine/levels/entailment.h"

namespace elapid {
namespace {

/// When T2 is visible to a read of T3 at a saturable level.
std::string_view visible_if(OrderLevel level) {
  switch (level.visibility) {
    case Visibility::kCausal:
      return level.sessions ? "reads and session order lead from T2 to T3"
                            : "reads lead from T2 to T3";
    case Visibility::kReadAtomic:
      return level.sessions ? "T3 read from T2, or T2 comes before T3 in its session"
                            : "T3 read from T2";
    case Visibility::kReadCommitted:
      return "an earlier operation of T3 read from T2";
    case Visibility::kPram:
      return "T2, or a transaction that read from T2, comes before T3 in the session of T3, or T3 "
             "read from a transaction that comes after T2 in the session of T2";
    case Visibility::kWritesFollowReads:
      return "T3 read from a transaction W, and W, or a transaction before W in the session of W, "
             "read from T2";
    case Visibility::kMonotonicWrites:
      return "T3 read from a transaction that comes after T2 in the session of T2";
    case Visibility::kMonotonicReads:
      return "a transaction before T3 in the session of T3 read from T2";
    case Visibility::kReadYourWrites:
      return "T2 comes before T3 in its session";
    default:
      return "";
  }
}

std::string_view order_contains(OrderLevel level) {
  if (level.real_time) {
    return "session order and real time";
  }
  return level.sessions ? "session order" : "only what the reads demand";
}

/// What the commit order of a saturable level contains beside write-read dependencies.
std::string_view commit_order_contains(OrderLevel level) {
  switch (level.visibility) {
    case Visibility::kPram:
    case Visibility::kMonotonicWrites:
      return "session order among transactions that write";
    case Visibility::kWritesFollowReads:
      return "the writers that a session read from, before the session's later writes";
    case Visibility::kMonotonicReads:
    case Visibility::kReadYourWrites:
      return "nothing else";
    default:
      return level.sessions || level.real_time ? order_contains(level) : "nothing else";
  }
}

std::string_view forbidden(CycleShape shape) {
  switch (shape) {
    case CycleShape::kCursor:
      return "of one anti-dependency and write dependencies on one key";
    case CycleShape::kPair:
      return "of two transactions with one anti-dependency";
    case CycleShape::kMonotonic:
      return "with one anti-dependency, from a read, that comes back to an operation up to the "
             "read";
    case CycleShape::kSingle:
      return "with one anti-dependency";
    case CycleShape::kSnapshots:
      return "in which each anti-dependency leaves a transaction at the operation where the cycle "
             "enters it, or after that";
    case CycleShape::kUpdates:
      return "that passes at most one transaction that only reads";
  }
  return "";
}

std::string joined(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) {
    text += part;
  }
  return text;
}

}  // namespace

std::string axiom(Model model) {
  if (const std::optional<CycleLevel> cycles = cycle_level(model)) {
    return joined({"version orders leave no cycle of write-read and write dependencies, and none ",
                   forbidden(cycles->shape)});
  }
  const std::optional<OrderLevel> level = order_level(model);
  if (!level) {
    return "";
  }
  switch (level->visibility) {
    case Visibility::kSerial:
      return joined(
          {"in one order of all transactions every read sees the last write of its key; "
           "the order contains ",
           order_contains(*level)});
    case Visibility::kSnapshot:
    case Visibility::kPrefix:
      return joined(
          {"in one order of starts and commits every read sees the last write committed "
           "before its start",
           level->visibility == Visibility::kSnapshot ? ", and writers of one key do not overlap"
                                                      : "",
           "; the order contains ", order_contains(*level)});
    case Visibility::kNothing:
      return joined({"a commit order contains the write-read dependencies, and ",
                     commit_order_contains(*level)});
    default:
      return joined(
          {"if T3 reads a key from T1, and T2 writes it and is visible, T2 commits before "
           "T1; visible if ",
           visible_if(*level), "; the commit order contains the write-read dependencies, and ",
           commit_order_contains(*level)});
  }
}

std::string_view decided_by(Model model) {
  if (cycle_level(model) && !is_decided_by_others(model)) {
    return "inference where it shows all, else a search for version orders, near linear a round";
  }
  if (is_decided_by_others(model)) {
    return "the levels that it implies and those that imply it";
  }
  const std::optional<OrderLevel> level = order_level(model);
  if (!level) {
    return "inference: near linear except for the search for cycles";
  }
  switch (level->visibility) {
    case Visibility::kSerial:
    case Visibility::kSnapshot:
    case Visibility::kPrefix:
      return "inference where it shows all, else the solver: polynomial except for the search of "
             "open choices (NP-complete)";
    case Visibility::kCausal:
      return level->sessions ? "saturation: O(operations * sessions)"
                             : "saturation: O(operations * chains of reads)";
    case Visibility::kReadAtomic:
    case Visibility::kReadCommitted:
      return "saturation: O(operations^1.5)";
    case Visibility::kNothing:
      return "inference where it shows all, else saturation: near linear";
    default:
      return "saturation: near linear";
  }
}

}  // namespace elapid
