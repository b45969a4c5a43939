// Adds and removes of containers. Queues, bags, stacks and priority queues have operations of one
// form; they differ only in the value that a remove takes.
//
//   enqueue 1     f = kAdd, argument = 1
//   dequeue 1     f = kRemove, result = 1
//   dequeue ?     f = kRemove, result = none(): it never returned
//   dequeue :empty    f = kRemove, result = nil(): there was nothing
//
// If each value is added once, a value is a stay: it comes at an instant of its add and goes at an
// instant of its remove. O(n).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

[[nodiscard]] inline bool is_add(const Operation& op) {
  return op.f == static_cast<std::uint8_t>(ContainerF::kAdd);
}

/// Whether the remove found nothing.
[[nodiscard]] inline bool is_empty_remove(const Operation& op) {
  return !is_add(op) && op.result.is_nil();
}

inline constexpr std::uint32_t kNoPlace = 0xffffffffU;

/// A value's time inside. Instants are places among all events of the operations, from 0.
struct Stay {
  ValueId value;
  std::uint32_t add = kNoPlace;
  std::uint32_t remove = kNoPlace;  ///< kNoPlace: the value stays
  std::uint32_t add_from = 0;       ///< the add takes effect after this instant ...
  std::uint32_t add_to = kNever;    ///< ... and before this one
  std::uint32_t remove_from = kNever;
  std::uint32_t remove_to = kNever;
};

/// A remove that found nothing, or that never returned.
struct Remove {
  std::uint32_t place;
  std::uint32_t from;
  std::uint32_t to;
};

struct Stays {
  /// The stays of values whose add returned or that were removed. An add ends before its remove
  /// ends; a remove begins after its add begins: add_to <= remove_to, remove_from >= add_from.
  std::vector<Stay> stays;
  std::vector<Remove> empty;    ///< by invocation
  std::vector<Remove> crashed;  ///< by invocation
  std::uint32_t instants = 0;
  /// Whether two adds have one value: then stays mean nothing.
  bool has_repeated_values = false;
  /// The flaw, if a removed value was never added, was removed too early, or was removed twice.
  Judgement flaw;
};

[[nodiscard]] Stays stays_of(const Operations& operations);

/// The model's search (model_sweep.h), without adds that never returned and have a value that no
/// remove shows. Any order stays one without these adds and the removes of their values.
[[nodiscard]] Judgement sweep_container(const Operations& operations, const Model& model,
                                        std::uint64_t work);

/// The operations with instants without gaps: each instant of the result is an event of them.
[[nodiscard]] Operations with_dense_instants(const Operations& operations);

}  // namespace elapid::linearize
