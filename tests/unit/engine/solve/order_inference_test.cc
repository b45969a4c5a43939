#include "engine/solve/order_inference.h"

#include <catch2/catch.hpp>
#include <string_view>

#include "harness/sketch/tiny_history.h"
#include "tests/support/tiny_trace.h"

namespace elapid {
namespace {

constexpr OrderLevel kSerial = {Visibility::kSerial, true, false};
constexpr OrderLevel kSnapshot = {Visibility::kSnapshot, true, false};

/// The graph of a session trace, and an order of it.
struct Attempt {
  Attempt(std::string_view text, OrderLevel level, std::vector<std::uint32_t> first)
      : history(build_trace(parse_tiny(Workload::kRwRegister, text), {})),
        problem(history),
        graph(problem, level),
        order(std::move(first)),
        known(graph.edges().size()) {}

  std::optional<std::vector<std::uint32_t>> infer(std::uint64_t work = 1000) {
    return infer_in_order(problem, graph, order, work);
  }

  /// Why the edges that were added hold.
  [[nodiscard]] std::vector<EdgeReason> reasons() const {
    std::vector<EdgeReason> all;
    for (std::size_t e = known; e < graph.edges().size(); ++e) {
      all.push_back(graph.edges()[e].reason());
    }
    return all;
  }

  [[nodiscard]] bool is_cyclic() const {
    return topological_order(graph.successors()).size() < graph.vertex_count();
  }

  History history;
  OrderProblem problem;
  OrderGraph graph;
  std::vector<std::uint32_t> order;
  std::size_t known;
};

using Order = std::vector<std::uint32_t>;
using Reasons = std::vector<EdgeReason>;

TEST_CASE("an order that serves every read is left alone") {
  Attempt attempt("0 wx1; 1 rx1; 2 wx2", kSerial, {0, 1, 2});
  CHECK(attempt.infer() == Order{0, 1, 2});
  CHECK(attempt.reasons().empty());
}

TEST_CASE("a writer that is visible to a reader goes before the one that it saw") {
  Attempt attempt("0 wx1; 1 wx2 wy1; 2 rx1 ry1", kSerial, {0, 1, 2});
  CHECK(attempt.infer() == Order{1, 0, 2});
  CHECK(attempt.reasons() == Reasons{EdgeReason::kVisible});
}

TEST_CASE("a writer that follows the one that a reader saw goes behind the reader") {
  Attempt attempt("0 wx1; 0 wx2; 1 rx1", kSerial, {0, 1, 2});
  CHECK(attempt.infer() == Order{0, 2, 1});
  CHECK(attempt.reasons() == Reasons{EdgeReason::kOverwritten});
}

TEST_CASE("any writer goes behind readers of the initial state") {
  Attempt attempt("0 wx1; 1 rx_", kSerial, {0, 1});
  CHECK(attempt.infer() == Order{1, 0});
  CHECK(attempt.reasons() == Reasons{EdgeReason::kOverwritten});
}

TEST_CASE("what may go either way stays open") {
  Attempt attempt("0 wx1; 1 wx2; 2 rx1", kSerial, {0, 1, 2});
  CHECK(attempt.infer() == Order{0, 1, 2});
  CHECK(attempt.reasons().empty());
}

TEST_CASE("writers of a key that overlap are separated where only one may be first") {
  // Start and commit of the second one first, though the first one did not see its z.
  Attempt attempt("0 rz_ wx1; 1 wz1 wx2", kSnapshot, {2, 3, 0, 1});
  CHECK(attempt.infer() == Order{0, 1, 2, 3});
  CHECK(attempt.reasons() == Reasons{EdgeReason::kOverwritten, EdgeReason::kNoOverlap});
}

TEST_CASE("edges that form a cycle are left in the graph, and there is no order") {
  Attempt attempt("0 wx1; 0 wx2 wy1; 1 ry1 rx1", kSerial, {0, 1, 2});
  CHECK_FALSE(attempt.infer());
  CHECK(attempt.is_cyclic());
}

TEST_CASE("nothing comes of it when the work runs out") {
  Attempt attempt("0 wx1; 1 wx2 wy1; 2 rx1 ry1", kSerial, {0, 1, 2});
  CHECK_FALSE(attempt.infer(2));
  CHECK_FALSE(attempt.is_cyclic());
}

}  // namespace
}  // namespace elapid
