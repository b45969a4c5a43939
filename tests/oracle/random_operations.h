// Small random histories of one object, right or mutated, and whether an order explains them: by
// trying all.
//
//   clients invoke, take effect and return in a random order; some crash before, some after
#pragma once

#include <cstdint>
#include <string>

#include "engine/linearize/operation.h"
#include "tests/oracle/plain_objects.h"

namespace elapid {

struct RandomOperationsOptions {
  std::uint32_t most_operations = 9;
  std::uint32_t most_clients = 5;
  std::uint32_t crashed_percent = 0;
  std::uint32_t mutations = 0;
};

[[nodiscard]] linearize::Operations random_operations(PlainObject& object, Random& random,
                                                      const RandomOperationsOptions& options);

/// By definition: whether some order of the operations, each completed one once, each open one at
/// most once, keeps to real time and is possible. Requires at most 32 operations.
[[nodiscard]] bool is_linearizable_by_definition(const PlainObject& object,
                                                 const linearize::Operations& operations);

/// `[0 3] f1 2 -> nil`: invoked and returned, function, argument and result; `never` if it is open.
[[nodiscard]] std::string operation_text(const linearize::Operation& operation);

}  // namespace elapid
