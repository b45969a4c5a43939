// The meaning of a type: the states of one object, and how operations change them.
//
//   a counter: state {3}; add 2 makes it {5}; read 3 is possible and leaves it; read 4 is not
//
// A state is a short sequence of numbers. Each meaning has one form: equal states are equal
// sequences. Searches use models; the near-linear engines do not.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/linearize/operation.h"

namespace elapid::linearize {

using State = std::vector<std::uint32_t>;

class Model {
 public:
  Model() = default;
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  virtual ~Model() = default;

  [[nodiscard]] virtual State initial() const { return {}; }

  /// Adds to `next` each state that the operation can lead to from `state`; none if the operation
  /// is not possible there. An operation without a result may have any result.
  virtual void step(const State& state, const Operation& op, std::vector<State>& next) const = 0;

  /// Whether the operation leaves every state as it is.
  [[nodiscard]] virtual bool is_read(const Operation& op) const {
    static_cast<void>(op);
    return false;
  }

  /// Returns false only if no operations of the history lead from `state` to a state in which the
  /// read is possible.
  [[nodiscard]] virtual bool may_reach(const State& state, const Operation& read) const {
    static_cast<void>(state);
    static_cast<void>(read);
    return true;
  }
};

}  // namespace elapid::linearize
