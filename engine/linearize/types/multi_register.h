// Several registers; a transaction reads and writes them at one instant.
//
//   [[:write :x 1] [:write :y 1]] |---|
//   [[:read :x 1] [:read :y 0]]          |---|      not linearizable: y is 1 together with x
//
// Registers without a common transaction are independent (Herlihy and Wing, TOPLAS 1990, theorem
// 1): callers judge each group by itself. model_sweep.h searches a group.
//
// The initial value of a register is given or unknown. If unknown, it may be any value; the first
// read before a write shows it. It is known before the search if a read returned before any write
// of its value was invoked.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/ir/ids.h"
#include "engine/linearize/operation.h"
#include "engine/linearize/types/judgement.h"
#include "engine/linearize/types/model.h"
#include "engine/linearize/types/verify_order.h"

namespace elapid::linearize {

struct RegisterStep {
  KeyId key;
  ValueId value;
  bool is_write = false;

  friend auto operator<=>(const RegisterStep&, const RegisterStep&) = default;
};

/// The distinct step lists of transactions. Equal lists have one number, the argument of their
/// operations.
class RegisterCalls {
 public:
  /// The argument for these steps. O(length log n).
  ValueId add(const std::vector<RegisterStep>& steps);

  [[nodiscard]] std::span<const RegisterStep> at(ValueId argument) const {
    return calls_[static_cast<std::size_t>(argument.as_integer())];
  }

 private:
  std::vector<std::vector<RegisterStep>> calls_;
  std::map<std::vector<RegisterStep>, std::size_t> number_of_;
};

/// The operations of one group of registers. All hold `initial` at first, or any value if it is
/// missing. At worst exponential in the operations open at once, see model_sweep.h. `work_before`:
/// the work of an earlier call, which did not decide; a quick search is not repeated with no more.
[[nodiscard]] Judgement judge_multi_register(const Operations& operations,
                                             const RegisterCalls& calls,
                                             std::optional<ValueId> initial,
                                             std::uint64_t work = kDefaultWork,
                                             std::uint64_t work_before = 0);

/// The initial value of each register of these operations, by key; none() if it is unknown. It is
/// known if a read returned it that none wrote, or, in real time, none before the read returned.
using InitialValues = std::map<std::uint32_t, ValueId>;  // by key

[[nodiscard]] InitialValues initial_values(const Operations& operations, const RegisterCalls& calls,
                                           std::optional<ValueId> initial,
                                           bool in_real_time = true);

/// States: a value for each register, in order of keys; none() for any value.
class MultiRegisterModel : public Model {
 public:
  MultiRegisterModel(const RegisterCalls& calls, const InitialValues& initial);

  [[nodiscard]] State initial() const override { return initial_; }

  void step(const State& state, const Operation& op, std::vector<State>& next) const override;

  [[nodiscard]] bool is_read(const Operation& op) const override;

 private:
  const RegisterCalls& calls_;
  State initial_;
  std::map<std::uint32_t, std::size_t> slot_of_;  // by key
};

/// For verify_order.h.
[[nodiscard]] std::unique_ptr<Replay> multi_register_replay(const RegisterCalls& calls,
                                                            std::optional<ValueId> initial);

}  // namespace elapid::linearize
