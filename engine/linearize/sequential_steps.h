// The operations of a history by process, for orders that keep the order of each process.
//
//   process 0   enqueue 1, enqueue 2 (never returned), dequeue 1
//     returned: enqueue 1, dequeue 1;   open: enqueue 2, after one of these
//
// An operation that never returned comes after the earlier ones of its process, or not at all; it
// may take effect after later ones, as everywhere (engine/infer/order.h).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/ir/history.h"
#include "engine/linearize/object_verdict.h"
#include "engine/linearize/types/model.h"

namespace elapid::linearize {

/// The model of an object, for all its operations or those that a core leaves.
using ModelOf = std::function<std::unique_ptr<Model>(const Object&)>;

/// An operation, and the number of its object.
struct SequentialStep {
  std::uint32_t object = 0;
  const Operation* operation = nullptr;
};

/// An operation that never returned. It follows the first `after` of its process that did.
struct OpenStep {
  SequentialStep step;
  std::uint32_t process = 0;
  std::uint32_t after = 0;
};

/// The operations of each process that returned, in order, and the others.
struct Processes {
  std::vector<std::vector<SequentialStep>> returned;
  std::vector<OpenStep> open;

  Processes(const History& history, std::span<const Object> objects);

  /// The last instant at which one returned.
  [[nodiscard]] std::uint32_t last_return() const;
};

/// How often a search asks whether it may go on.
inline constexpr std::uint64_t kStepsAQuestion = 1'024;

[[nodiscard]] std::vector<std::unique_ptr<Model>> models_of(std::span<const Object> objects,
                                                            const ModelOf& model_of);

}  // namespace elapid::linearize
