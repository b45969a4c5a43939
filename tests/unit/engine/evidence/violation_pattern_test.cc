#include "engine/evidence/violation_pattern.h"

#include <catch2/catch.hpp>

namespace elapid {
namespace {

constexpr TxnId kOne = {0};
constexpr TxnId kTwo = {1};
constexpr TxnId kThree = {2};
constexpr KeyId kX = {0};
constexpr KeyId kY = {1};

Step wr(TxnId from, TxnId to, KeyId key, std::int32_t to_mop) {
  return {.from = from, .to = to, .relation = Relation::kWr, .key = key, .to_mop = to_mop};
}

Step process(TxnId from, TxnId to) {
  return {.from = from, .to = to, .relation = Relation::kProcess};
}

/// The third passed over the second's write of x with its operation 1.
Step passed_over() {
  return {.from = kThree, .to = kTwo, .relation = Relation::kRw, .key = kX, .from_mop = 1};
}

Step overwrites() {
  return {.from = kTwo, .to = kOne, .relation = Relation::kWw, .key = kX};
}

/// The second comes before the first, since it was visible by these steps.
ProvedChoice visible_by(std::vector<Step> path) {
  path.insert(path.begin(), passed_over());
  return {{}, std::move(path)};
}

std::string pattern(std::vector<Step> steps, std::vector<ProvedChoice> because) {
  return violation_pattern(
      {AnomalyType::kGSingleItem, CycleEvidence{std::move(steps), std::move(because), true}});
}

std::string pattern_of_visible(std::vector<Step> path) {
  return pattern({overwrites(), process(kOne, kTwo)}, {visible_by(std::move(path))});
}

TEST_CASE("pattern: by how the write passed over was visible") {
  CHECK(pattern_of_visible({wr(kTwo, kThree, kY, 0)}) == "non-monotonic-read");
  CHECK(pattern_of_visible({wr(kTwo, kThree, kY, 2)}) == "fractured-read");
  CHECK(pattern_of_visible({wr(kTwo, kThree, kX, 0)}) == "non-repeatable-read");
  CHECK(pattern_of_visible({process(kTwo, kThree)}) == "causal-order-against-arbitration");
  CHECK(pattern_of_visible({process(kTwo, kOne), wr(kOne, kThree, kY, 0)}) ==
        "causal-order-against-arbitration");
}

TEST_CASE("pattern: through arbitration, if more than one order of writers was inferred") {
  const ProvedChoice proved = visible_by({wr(kTwo, kThree, kY, 2)});
  CHECK(pattern({overwrites(), overwrites()}, {proved, proved}) ==
        "fractured-read-through-arbitration");
}

TEST_CASE("pattern: without inferred orders") {
  CHECK(pattern({wr(kOne, kTwo, kX, 0), process(kTwo, kOne)}, {}) == "cyclic-causal-order");
  CHECK(pattern({passed_over(), wr(kTwo, kThree, kY, 2)}, {}) == "fractured-read");
}

TEST_CASE("pattern: none of other evidence") {
  CHECK(pattern({passed_over(), passed_over()}, {}).empty());
  CHECK(pattern({overwrites(), overwrites()}, {{{}, {overwrites(), overwrites()}}}).empty());
  CHECK(violation_pattern(
            {AnomalyType::kGSingleItem, CycleEvidence{{passed_over(), wr(kTwo, kThree, kY, 2)}}})
            .empty());
  CHECK(violation_pattern({AnomalyType::kEmptyTransactionGraph, EmptyGraphEvidence{}}).empty());
}

}  // namespace
}  // namespace elapid
