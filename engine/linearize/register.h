// A register with compare-and-set: its operations, and their effects on the value.
//
//   write 1          the value is 1 afterwards
//   read 1           possible while the value is 1
//   cas 1 2          possible while the value is 1, which is 2 afterwards
//   failed cas 1 2   possible while the value is not 1
//
// The caller gives the initial value. A plain register has no cas.
#pragma once

#include <cstdint>
#include <optional>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

/// Operation::f of registers.
enum class RegisterF : std::uint8_t {
  kRead,       ///< result: the value that it saw
  kWrite,      ///< argument: the value
  kCas,        ///< argument: the expected value; result: the new value
  kFailedCas,  ///< argument: the value that was not there
};

[[nodiscard]] constexpr RegisterF register_f(const Operation& operation) {
  return static_cast<RegisterF>(operation.f);
}

/// The sequential specification.
struct RegisterModel {
  using State = ValueId;

  /// The state after `operation` in `state`; nothing if the operation is impossible there.
  [[nodiscard]] static std::optional<ValueId> after(ValueId state, const Operation& operation) {
    switch (register_f(operation)) {
      case RegisterF::kRead:
        return state == operation.result ? std::optional(state) : std::nullopt;
      case RegisterF::kWrite:
        return operation.argument;
      case RegisterF::kCas:
        return state == operation.argument ? std::optional(operation.result) : std::nullopt;
      case RegisterF::kFailedCas:
        return state == operation.argument ? std::nullopt : std::optional(state);
    }
    return std::nullopt;
  }
};

}  // namespace elapid::linearize
