// Random transactions on two registers: the engine answers as trying all orders does, for all that
// the registers may hold at first.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/linearize/types/multi_register.h"
#include "engine/workloads/multi_register/single_register.h"
#include "tests/oracle/random_operations.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using linearize::Answer;
using linearize::Judgement;
using linearize::Operation;
using linearize::Operations;
using linearize::RegisterStep;

constexpr std::int64_t kRegisters = 2;
constexpr std::int64_t kValues = 3;        // 0 to 2
constexpr std::int64_t kActions = 5;       // none, read, write 0 to 2
constexpr std::int64_t kUnread = kValues;  // a digit of a result

/// The digit of register `r` in a number to the base `base`.
std::int64_t digit(std::int64_t number, std::int64_t r, std::int64_t base) {
  return r == 0 ? number % base : number / base % base;
}

/// Argument and function have an action a register as digits, a result the values read.
class PlainMultiRegister : public PlainObject {
 public:
  explicit PlainMultiRegister(PlainState initial) : initial_(std::move(initial)) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t /*number*/) override {
    const auto call = static_cast<std::int64_t>(1 + random.below(kActions * kActions - 1));
    return {.f = static_cast<std::uint8_t>(call), .argument = ValueId::integer(call)};
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    PlainState next = state.empty() ? initial_ : state;
    std::int64_t result = 0;
    std::int64_t unit = 1;
    for (std::int64_t r = 0; r < kRegisters; ++r) {
      const std::int64_t action = digit(op.argument.as_integer(), r, kActions);
      std::int64_t& held = next[static_cast<std::size_t>(r)];
      result += unit * (action == 1 ? held : kUnread);
      held = action >= 2 ? action - 2 : held;
      unit *= kValues + 1;
    }
    return {{ValueId::integer(result), next}};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    if (op.result.is_none()) {
      return op.result;
    }
    std::int64_t result = 0;
    std::int64_t unit = 1;
    for (std::int64_t r = 0; r < kRegisters; ++r) {
      const bool is_read = digit(op.argument.as_integer(), r, kActions) == 1;
      result += unit * (is_read ? static_cast<std::int64_t>(random.below(kValues)) : kUnread);
      unit *= kValues + 1;
    }
    return ValueId::integer(result);
  }

 private:
  PlainState initial_;
};

/// As the workload has them: without reads that never returned.
Operations with_calls(const Operations& plain, linearize::RegisterCalls& calls) {
  Operations operations;
  for (const Operation& op : plain) {
    std::vector<RegisterStep> steps;
    for (std::int64_t r = 0; r < kRegisters; ++r) {
      const std::int64_t action = digit(op.argument.as_integer(), r, kActions);
      const KeyId key{static_cast<std::uint32_t>(r)};
      if (action == 1 && !op.is_open()) {
        const std::int64_t value = digit(op.result.as_integer(), r, kValues + 1);
        steps.push_back({.key = key, .value = ValueId::integer(value)});
      } else if (action >= 2) {
        steps.push_back({.key = key, .value = ValueId::integer(action - 2), .is_write = true});
      }
    }
    if (!steps.empty()) {
      operations.push_back(op);
      operations.back().argument = calls.add(steps);
      operations.back().result = ValueId::none();
    }
  }
  return operations;
}

bool is_right_from(const PlainState& initial, const Operations& plain) {
  return is_linearizable_by_definition(PlainMultiRegister(initial), plain);
}

/// From any values; a register that nothing reads may hold any.
bool is_right_from_something(const Operations& plain) {
  for (std::int64_t x = 0; x < kValues; ++x) {
    for (std::int64_t y = 0; y < kValues; ++y) {
      if (is_right_from({x, y}, plain)) {
        return true;
      }
    }
  }
  return false;
}

std::size_t contradicted = 0;  // by one register alone

void require_answer(bool is_right, const Operations& plain, std::optional<ValueId> initial) {
  linearize::RegisterCalls calls;
  const Operations operations = with_calls(plain, calls);
  const bool is_contradicted =
      contradiction_in_one_register(operations, calls,
                                    linearize::initial_values(operations, calls, initial),
                                    linearize::kDefaultWork)
          .has_value();
  contradicted += is_contradicted ? 1U : 0U;
  REQUIRE_FALSE((is_right && is_contradicted));
  const Judgement judgement = linearize::judge_multi_register(operations, calls, initial);
  REQUIRE(judgement.answer == (is_right ? Answer::kLinearizable : Answer::kNotLinearizable));
  if (is_right) {
    const auto replay = linearize::multi_register_replay(calls, initial);
    REQUIRE(linearize::is_order_of(operations, judgement.order, *replay));
  }
}

TEST_CASE("property: several registers are judged as by definition") {
  const std::uint64_t first = 5'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(3000);
  std::array<std::size_t, 2> answers = {};
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    RandomOperationsOptions options;
    options.most_operations = seed % 10 == 0 ? 10 : 7;
    options.crashed_percent = static_cast<std::uint32_t>(seed % 4 * 10);
    options.mutations = seed % 3 == 0 ? 1 + static_cast<std::uint32_t>(random.below(3)) : 0;
    const PlainState initial = {static_cast<std::int64_t>(random.below(kValues)), 0};
    PlainMultiRegister object(initial);
    const Operations plain = random_operations(object, random, options);
    INFO("seed " << seed);
    require_answer(is_right_from({0, 0}, plain), plain, ValueId::integer(0));
    const bool is_right = is_right_from_something(plain);
    require_answer(is_right, plain, std::nullopt);
    ++answers[is_right ? 1 : 0];
  }
  CHECK(answers[0] > 0);
  CHECK(answers[1] > answers[0]);
  CHECK(contradicted > 0);
}

}  // namespace
}  // namespace elapid
