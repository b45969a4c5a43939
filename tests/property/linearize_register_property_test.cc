// Random histories of registers: zones and sweep answer as the definition does, and each order that
// they give passes verification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "engine/linearize/register_judgement.h"
#include "engine/linearize/register_replay.h"
#include "engine/linearize/sweep_register.h"
#include "tests/oracle/plain_register.h"
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
