// Random histories of registers: zones and sweep answer as the definition does, and each order that
// they give passes verification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/linearize/register.h"
#include "engine/linearize/register_judgement.h"
#include "engine/linearize/register_replay.h"
#include "engine/linearize/sweep_register.h"
#include "tests/oracle/plain_objects.h"
#include "tests/oracle/random_operations.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using linearize::Answer;
using linearize::Operation;
using linearize::Operations;
using linearize::RegisterF;
using linearize::RegisterFlaw;
using linearize::RegisterJudgement;

struct PlainRegisterOptions {
  std::int64_t values = 3;  ///< that are written; 0: each is new
  bool has_cas = false;
  bool has_failed_cas = false;  ///< as witnesses
};

/// Nil at first.
class PlainRegister : public PlainObject {
 public:
  explicit PlainRegister(PlainRegisterOptions options) : options_(options) {}

  Operation propose(Random& random, std::uint32_t /*client*/, std::uint32_t number) override {
    const std::uint64_t kinds = options_.has_failed_cas ? 4 : options_.has_cas ? 3 : 2;
    Operation op;
    op.f = static_cast<std::uint8_t>(random.below(kinds));
    switch (linearize::register_f(op)) {
      case RegisterF::kRead:
        break;
      case RegisterF::kWrite:
        op.argument = fresh(random, number);
        break;
      case RegisterF::kCas:
        op.argument = some(random, number);
        op.result = fresh(random, number);
        break;
      case RegisterF::kFailedCas:
        op.argument = some(random, number);
        break;
    }
    return op;
  }

  std::vector<PlainOutcome> outcomes(const PlainState& state, const Operation& op) const override {
    const ValueId held = state.empty() ? ValueId::nil() : ValueId::integer(state.front());
    switch (linearize::register_f(op)) {
      case RegisterF::kRead:
        return {{held, state}};
      case RegisterF::kWrite:
        return {{ValueId::none(), {op.argument.as_integer()}}};
      case RegisterF::kCas:
        return op.argument == held
                   ? std::vector<PlainOutcome>{{op.result, {op.result.as_integer()}}}
                   : std::vector<PlainOutcome>();
      case RegisterF::kFailedCas:
        return op.argument != held ? std::vector<PlainOutcome>{{ValueId::none(), state}}
                                   : std::vector<PlainOutcome>();
    }
    return {};
  }

  ValueId wrong_result(Random& random, const Operation& op) override {
    const RegisterF f = linearize::register_f(op);
    return f == RegisterF::kRead && random.percent(10)     ? ValueId::nil()
           : f == RegisterF::kRead || f == RegisterF::kCas ? some(random, 12)
                                                           : ValueId::none();
  }

 private:
  ValueId fresh(Random& random, std::uint32_t number) const {
    const auto drawn = static_cast<std::int64_t>(
        options_.values == 0 ? number : random.below(static_cast<std::uint64_t>(options_.values)));
    return ValueId::integer(drawn);
  }

  /// One that may have been written before operation `number`.
  ValueId some(Random& random, std::uint32_t number) const {
    const auto count =
        static_cast<std::uint64_t>(options_.values == 0 ? number + 1 : options_.values);
    return ValueId::integer(static_cast<std::int64_t>(random.below(count)));
  }

  PlainRegisterOptions options_;
};

std::unique_ptr<PlainObject> plain_register(PlainRegisterOptions options) {
  return std::make_unique<PlainRegister>(options);
}

/// What engines get: no reads and no failed cas that never returned.
Operations without_open_reads(const Operations& operations) {
  Operations kept;
  for (const Operation& operation : operations) {
    const RegisterF f = linearize::register_f(operation);
    if (!operation.is_open() || f == RegisterF::kWrite || f == RegisterF::kCas) {
      kept.push_back(operation);
    }
  }
  return kept;
}

/// What is wrong with an answer; empty if nothing.
std::string mistake(const Operations& operations, const RegisterJudgement& judgement,
                    bool is_right) {
  if (judgement.answer == Answer::kUnknown) {
    return "unknown";
  }
  if ((judgement.answer == Answer::kLinearizable) != is_right) {
    return is_right ? "refuted, and is linearizable" : "linearizable, and is not";
  }
  if (!is_right) {
    const bool has_reason = judgement.flaw != RegisterFlaw::kNone && !judgement.operations.empty();
    return has_reason ? "" : "refuted without a reason";
  }
  linearize::RegisterReplay replay(ValueId::nil());
  return linearize::is_order_of(operations, judgement.order, replay) ? "" : "no such order";
}

/// A third of the histories are mutated, crashed operations are 0 to 30 %.
void compare_with_definition(PlainRegisterOptions kind, std::uint64_t by_default) {
  const auto object = plain_register(kind);
  const std::uint64_t first = 7'000'000 * from_environment("ELAPID_PROPERTY_SEED", 1);
  const std::uint64_t cases = case_count(by_default);
  std::array<std::size_t, 2> answers = {};
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    RandomOperationsOptions options;
    options.crashed_percent = static_cast<std::uint32_t>(seed % 4 * 10);
    options.most_operations = seed % 10 == 0 ? 13 : 10;
    options.mutations = seed % 3 == 0 ? 1 + static_cast<std::uint32_t>(random.below(3)) : 0;
    const Operations operations = without_open_reads(random_operations(*object, random, options));
    const bool is_right = is_linearizable_by_definition(*object, operations);
    ++answers[is_right ? 1 : 0];
    std::string wrong = mistake(operations, linearize::judge_register(operations, {}), is_right);
    if (wrong.empty()) {
      wrong = mistake(operations, linearize::sweep_register(operations, {}), is_right);
    }
    if (!wrong.empty()) {
      std::string text;
      for (const Operation& operation : operations) {
        text += operation_text(operation);
      }
      INFO("seed " << seed << "\n" << text);
      REQUIRE(wrong == "");
    }
  }
  INFO("refuted " << answers[0] << ", linearizable " << answers[1]);
  CHECK(answers[0] > 0);
  CHECK(answers[1] > answers[0]);
}

TEST_CASE("property: registers are judged as by definition") {
  compare_with_definition({.values = 3}, 15'000);
  compare_with_definition({.values = 0}, 15'000);
}

TEST_CASE("property: registers with cas are judged as by definition") {
  compare_with_definition({.values = 2, .has_cas = true}, 15'000);
  compare_with_definition({.values = 4, .has_cas = true}, 15'000);
  compare_with_definition({.values = 0, .has_cas = true}, 20'000);
}

TEST_CASE("property: failed cas are judged as by definition") {
  compare_with_definition({.values = 3, .has_cas = true, .has_failed_cas = true}, 20'000);
}

}  // namespace
}  // namespace elapid
