// The examples of textbooks at the levels that forbid shapes of cycles.
#include "engine/adya/adya.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/certify/certify.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

constexpr std::array kModels = {Model::kPlCs,    Model::kUpdateAtomic, Model::kPl2L,
                                Model::kPl2Plus, Model::kPlMsr,        Model::kPl3U};

/// The answer, whose evidence must hold.
SolveResult decided(const History& history, Model model) {
  SolveResult result = decide_cycles(history, *cycle_level(model), {});
  INFO(friendly_name(model));
  CHECK(result.validity != Validity::kUnknown);
  CHECK(check_level_answer(history, {model, result.validity, result.witness, result.refutation, {}})
            .value_or("") == "");
  return result;
}

/// The levels that do not hold.
std::string violated(const History& history) {
  std::string out;
  for (const Model model : kModels) {
    if (decided(history, model).validity == Validity::kInvalid) {
      out += out.empty() ? "" : " ";
      out += canonical_name(model);
    }
  }
  return out;
}

std::string violated(std::string_view text) {
  return violated(register_history(text));
}

std::string violated_by_lists(std::string_view text) {
  return violated(list_history(text));
}

TEST_CASE("cycles: serializable histories violate nothing") {
  CHECK(violated("") == "");
  CHECK(violated("0 wx1; 1 rx1 wx2 wy1; 2 rx2 ry1") == "");
  CHECK(violated_by_lists("ax1; ax2; rx12; ax3; ay1") == "");
}

TEST_CASE("cycles: write skew is a matter of update transactions alone") {
  CHECK(violated("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1") == "PL-3U");
  CHECK(violated_by_lists("0> rx ay1; 1> ry ax1; 0+ rx ay1; 1+ ry ax1") == "PL-3U");
}

TEST_CASE("cycles: a lost update") {
  CHECK(violated("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2") ==
        "PL-CS update-atomic PL-2+ PL-3U");
  CHECK(violated_by_lists("0> rx ax1; 1> rx ax2; 0+ rx ax1; 1+ rx ax2") ==
        "PL-CS update-atomic PL-2+ PL-3U");
}

TEST_CASE("cycles: read skew, by the order of the reads") {
  CHECK(violated("0 wx1 wy1; 1 rx1 ry_") == "update-atomic PL-2L PL-2+ PL-MSR PL-3U");
  CHECK(violated("0 wx1 wy1; 1 ry_ rx1") == "update-atomic PL-2+ PL-3U");
}

TEST_CASE("cycles: a cause is missed that no single dependency leads from") {
  CHECK(violated("0 wx1; 1 rx1 wy1; 2 ry1 rx_") == "PL-2L PL-2+ PL-MSR PL-3U");
}

TEST_CASE("cycles: a long fork goes back only where reads come in this order") {
  CHECK(violated("0 wx1; 1 wy1; 2 rx1 ry_; 3 ry1 rx_") == "PL-MSR");
  CHECK(violated("0 wx1; 1 wy1; 2 ry_ rx1; 3 rx_ ry1") == "");
}

TEST_CASE("cycles: one that only reads sees no serial order of the others") {
  CHECK(violated("0> rx_ ry_ wx1; 1> ry_ wy1; 1+ ry_ wy1; 2 rx_ ry1; 0+ rx_ ry_ wx1") == "PL-3U");
}

TEST_CASE("cycles: a register read twice changes") {
  CHECK(violated("0> rx_ rx_; 1 wx1; 0+ rx_ rx1") == "update-atomic PL-2+ PL-3U");
}

TEST_CASE("cycles: two values of a register in one transaction, of any writers") {
  CHECK(violated("0 wx1; 1 wx1; 2 wx2; 3 wx2; 4 rx1 rx2") == "update-atomic PL-2+ PL-3U");
  CHECK(violated("0 wx1; 1 wx2; 2 wx1; 3 rx1 rx1") == "");
  CHECK(violated("0 wx1; 1 wx1; 2 rx_ rx1") == "update-atomic PL-2+ PL-3U");
  CHECK(violated("0 wx1; 1 wx1; 2 wx2; 3 wx2; 4 rx1 rx2 wx3") == "PL-CS update-atomic PL-2+ PL-3U");
}

TEST_CASE("cycles: where values repeat, an execution in which reads have moments is drafted") {
  // The last write of 1 comes before the reader, who saw 2 first.
  const History history = register_history("0 wx1; 1 rx1 wx2; 2 rx2 rx1; 3 wx1");
  for (const Model model : {Model::kPl2L, Model::kPlMsr}) {
    const SolveResult result = decided(history, model);
    CHECK(result.validity == Validity::kValid);
    CHECK(result.statistics.conflicts == 0);
  }
}

TEST_CASE("cycles: where values repeat, versions that are read and overwritten come first") {
  // The last transaction is the first to write x, and reads 1 before it is overwritten.
  const History history = register_history("0 wx1; 1 wx2; 2 wy1; 3 rx1 wx3; 4 rx_ ry1 wx1");
  const SolveResult result = decided(history, Model::kPlCs);
  CHECK(result.validity == Validity::kValid);
  CHECK(result.statistics.conflicts == 0);
}

TEST_CASE("cycles: elements that no read shows have some order") {
  CHECK(violated_by_lists("ax1 ay1; ax2 ay2; rx12 ry12") == "");
  CHECK(violated_by_lists("ax1 ay1; ax2 ay2; rx12; ry21") ==
        "PL-CS update-atomic PL-2L PL-2+ PL-MSR PL-3U");
  CHECK(violated_by_lists("0> rx ax1; 1> rx ax2; 2 ax3; 0+ rx ax1; 1+ rx ax2") ==
        "PL-CS update-atomic PL-2+ PL-3U");
}

/// That a step refutes one level is no proof at another one.
TEST_CASE("cycles: the certifier refuses cycles of another shape") {
  const auto refusal = [](const History& history, Model of, Model at) {
    const SolveResult result = decided(history, of);
    REQUIRE(result.refutation);
    return check_level_answer(history, {at, Validity::kInvalid, {}, result.refutation, {}})
        .value_or("");
  };
  const std::string wrong = "the level does not forbid a cycle of this shape";
  const History skew = register_history("0> rx_ wy1; 1> ry_ wx1; 0+ rx_ wy1; 1+ ry_ wx1");
  const History late = register_history("0 wx1 wy1; 1 ry_ rx1");
  const History fork = register_history("0 wx1; 1 wy1; 2 rx1 ry_; 3 ry1 rx_");
  for (const Model model :
       {Model::kPlCs, Model::kUpdateAtomic, Model::kPl2L, Model::kPl2Plus, Model::kPlMsr}) {
    CHECK(refusal(skew, Model::kPl3U, model).find(wrong) != std::string::npos);
  }
  for (const Model model : {Model::kPlCs, Model::kPl2L, Model::kPlMsr}) {
    CHECK(refusal(late, Model::kPl2Plus, model).find(wrong) != std::string::npos);
  }
  for (const Model model : {Model::kPl2Plus, Model::kPl3U}) {
    CHECK(refusal(fork, Model::kPlMsr, model).find(wrong) != std::string::npos);
  }
}

/// That a history satisfies one level is no proof at another one.
TEST_CASE("cycles: the certifier refuses orders that leave a forbidden cycle") {
  const auto refuses = [](const History& history, Model of, Model at) {
    const SolveResult result = decided(history, of);
    REQUIRE(result.witness);
    return check_level_answer(history, {at, Validity::kValid, result.witness, {}, {}}).has_value();
  };
  const History lost = register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2");
  CHECK(refuses(lost, Model::kPlMsr, Model::kPlCs));
  CHECK(refuses(lost, Model::kPlMsr, Model::kUpdateAtomic));
  const History cause = register_history("0 wx1; 1 rx1 wy1; 2 ry1 rx_");
  CHECK(refuses(cause, Model::kPlCs, Model::kPl2L));
  CHECK(refuses(cause, Model::kPlCs, Model::kPl2Plus));
  CHECK(refuses(cause, Model::kPlCs, Model::kPlMsr));
  CHECK(refuses(cause, Model::kPlCs, Model::kPl3U));
}

TEST_CASE("cycles: a budget that is reached makes no answer") {
  const History history = register_history("0> rx_ wx1; 1> rx_ wx2; 0+ rx_ wx1; 1+ rx_ wx2");
  const SolveResult spent = decide_cycles(history, *cycle_level(Model::kPlCs), {.work = 1});
  CHECK(spent.validity == Validity::kUnknown);
  CHECK(spent.is_out_of_budget);
}

}  // namespace
}  // namespace elapid
