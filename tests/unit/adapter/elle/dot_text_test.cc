#include "adapter/elle/dot_text.h"

#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/adapter/elle/test_history.h"

namespace elapid {
namespace {

using namespace elle_test;

TEST_CASE("transactions are records, edges run between their fields") {
  const History history = g1c_history();
  const std::vector<TxnId> txns = {{0}, {1}};
  CHECK(dot_text(history, txns, g1c_cycle(history).steps, 65536) ==
        "digraph a_graph {\n"
        "  node [shape=record height=0.4]\n"
        "  T2 [label=\"<f0> a :x 1|<f1> r :y [1]\" color=\"#0058AD\" fontcolor=\"#0058AD\"]\n"
        "  T3 [label=\"<f0> a :x 2|<f1> a :y 1\" color=\"#0058AD\" fontcolor=\"#0058AD\"]\n"
        "  T3:f1 -> T2:f1 [label=\"wr\" color=\"#C000A5\" fontcolor=\"#C000A5\"]\n"
        "  T2:f0 -> T3:f0 [label=\"ww\" color=\"#C02700\" fontcolor=\"#C02700\"]\n"
        "}\n");
}

TEST_CASE("statuses have colours, special characters are escaped, other edges have no fields") {
  const History history = TestHistory()
                              .invoke(0, "w \"a|b\" {:k,1}")
                              .fail(0, "w \"a|b\" {:k,1}")
                              .invoke(0, "R <x> nil")
                              .info(0, "R <x> nil")
                              .build();
  const std::vector<TxnId> txns = {{0}, {1}};
  const std::vector<Step> edges = {{.from = {0}, .to = {1}, .relation = Relation::kProcess},
                                   {.from = {1}, .to = {0}, .relation = Relation::kRealtime}};
  CHECK(dot_text(history, txns, edges, 65536) ==
        "digraph a_graph {\n"
        "  node [shape=record height=0.4]\n"
        "  T1 [label=\"<f0> w \\\"a\\|b\\\" \\{:k,1\\}\" color=\"#A50053\" fontcolor=\"#A50053\"]\n"
        "  T3 [label=\"<f0> r \\<x\\> nil\" color=\"#AC6E00\" fontcolor=\"#AC6E00\"]\n"
        "  T1 -> T3 [label=\"p\" color=\"#00C0C0\" fontcolor=\"#00C0C0\"]\n"
        "  T3 -> T1 [label=\"rt\" color=\"#0050C0\" fontcolor=\"#0050C0\"]\n"
        "}\n");
}

TEST_CASE("too long a text is none") {
  const History history = g1c_history();
  const std::vector<TxnId> txns = {{0}, {1}};
  const std::size_t size = dot_text(history, txns, g1c_cycle(history).steps, 65536)->size();
  CHECK(dot_text(history, txns, g1c_cycle(history).steps, size).has_value());
  CHECK_FALSE(dot_text(history, txns, g1c_cycle(history).steps, size - 1).has_value());
  CHECK_FALSE(dot_text(history, txns, {}, 10).has_value());
}

}  // namespace
}  // namespace elapid
