#include "engine/evidence/version_reasons.h"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

/// The reason that x held `before` before `after`, as `0.0<2.1 sequential-keys`: transaction and
/// operation.
std::string reason(const std::string& text, const Assumptions& assumptions, std::int64_t before,
                   std::int64_t after, std::span<const TxnId> preferred = {}) {
  const History history = register_history(text);
  VersionReasons reasons(history, assumptions);
  const auto found =
      reasons.find(KeyId{0}, ValueId::integer(before), ValueId::integer(after), preferred);
  const auto place = [](OpRef op) {
    return std::to_string(op.txn.value) + "." + std::to_string(op.mop);
  };
  return found ? place(found->earlier) + "<" + place(found->later) + " " +
                     std::string(name(found->source))
               : "none";
}

TEST_CASE("versions: a session's operations, under sequential keys only") {
  CHECK(reason("0 wx1; 1 wx2; 2 rx1; 2 rx2", {.sequential_keys = true}, 1, 2) ==
        "2.0<3.0 sequential-keys");
  CHECK(reason("0 wx1; 1 wx2; 2 rx1; 2 rx2", {.sequential_keys = true}, 2, 1) == "none");
  CHECK(reason("0 wx1; 1 wx2; 2 rx1; 2 rx2", {}, 1, 2) == "none");
  CHECK(reason("0 wx1; 0 wx2", {.sequential_keys = true}, 1, 2) == "0.0<1.0 sequential-keys");
}

TEST_CASE("versions: what a transaction left is what it wrote last, and met what it read first") {
  const Assumptions assumptions = {.sequential_keys = true};
  CHECK(reason("0 rx1 wx4 wx5; 0 rx2 rx3", assumptions, 5, 2) == "0.2<1.0 sequential-keys");
  CHECK(reason("0 rx1 wx4 wx5; 0 rx2 rx3", assumptions, 4, 2) == "none");
  CHECK(reason("0 rx1 wx4 wx5; 0 rx2 rx3", assumptions, 1, 2) == "none");
  CHECK(reason("0 rx1 wx4 wx5; 0 rx2 rx3", assumptions, 5, 3) == "none");
}

TEST_CASE("versions: real time, under linearizable keys only") {
  const std::string apart = "0> wx1; 0+ wx1; 1> wx2; 1+ wx2";
  const std::string together = "0> wx1; 1> wx2; 0+ wx1; 1+ wx2";
  CHECK(reason(apart, {.linearizable_keys = true}, 1, 2) == "0.0<1.0 linearizable-keys");
  CHECK(reason(apart, {.linearizable_keys = true}, 2, 1) == "none");
  CHECK(reason(apart, {.sequential_keys = true}, 1, 2) == "none");
  CHECK(reason(together, {.linearizable_keys = true}, 1, 2) == "none");
}

TEST_CASE(
    "versions: aborted transactions are no reason, and what may not have happened left nothing") {
  const Assumptions assumptions = {.sequential_keys = true};
  CHECK(reason("0 wx1; 0- wx2", assumptions, 1, 2) == "none");
  CHECK(reason("0? wx1; 0 wx2", assumptions, 1, 2) == "none");
  CHECK(reason("0 wx1; 0? wx2", assumptions, 1, 2) == "0.0<1.0 sequential-keys");
}

TEST_CASE("versions: one transaction's read and write") {
  CHECK(reason("0 wx1; 1 rx1 wx2", {.wfr_keys = true}, 1, 2) == "1.0<1.1 wfr-keys");
  CHECK(reason("0 wx1; 1 rx1 wx2", {}, 1, 2) == "none");
}

TEST_CASE("versions: places of writes") {
  const Assumptions given = {.transaction_order = {{3, 1}, {1, 2}}};
  CHECK(reason("0 wx1; 1 wx2", given, 2, 1) == "1.0<0.0 transaction-order-keys");
  CHECK(reason("0 wx1; 1 wx2", given, 1, 2) == "none");
}

TEST_CASE("versions: transactions that were told of come first") {
  const std::string text = "0 wx1; 0 wx2; 1 rx1; 1 rx2; 2 rx1; 2 rx2";
  const Assumptions assumptions = {.sequential_keys = true};
  CHECK(reason(text, assumptions, 1, 2) == "0.0<1.0 sequential-keys");
  CHECK(reason(text, assumptions, 1, 2, std::array{TxnId{4}, TxnId{5}}) ==
        "4.0<5.0 sequential-keys");
  CHECK(reason(text, assumptions, 1, 2, std::array{TxnId{3}}) == "2.0<3.0 sequential-keys");
}

}  // namespace
}  // namespace elapid
