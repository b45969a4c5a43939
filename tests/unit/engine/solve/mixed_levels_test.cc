// Levels that differ by transaction.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/levels/txn_levels.h"
#include "engine/solve/solve.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

/// By transaction: `s`erializable, snapshot `i`solation, `p`refix consistency, read `c`ommitted, or
/// `w`eak: causal consistency.
TxnLevels levels(std::string_view letters, OrderLevel orders = {}) {
  std::vector<OrderLevel> by_txn;
  for (const char letter : letters) {
    orders.visibility = letter == 's'   ? Visibility::kSerial
                        : letter == 'i' ? Visibility::kSnapshot
                        : letter == 'p' ? Visibility::kPrefix
                        : letter == 'c' ? Visibility::kNothing
                                        : Visibility::kCausal;
    by_txn.push_back(orders);
  }
  return TxnLevels(std::move(by_txn));
}

std::string answer(const History& history, const TxnLevels& levels) {
  const SolveResult result = solve_mixed(history, levels);
  return result.validity == Validity::kValid     ? "valid"
         : result.validity == Validity::kInvalid ? "invalid"
                                                 : result.unknown_because;
}

std::string lists(std::string_view text, std::string_view letters) {
  return answer(list_history(text), levels(letters));
}

std::string registers(std::string_view text, std::string_view letters) {
  return answer(register_history(text), levels(letters));
}

TEST_CASE("mixed levels: one level for all is that level") {
  constexpr std::string_view kSkew = "rx ay1; ry ax1; rx1 ry1";
  CHECK(lists(kSkew, "sss") == "invalid");
  CHECK(lists(kSkew, "iii") == "valid");
  CHECK(lists(kSkew, "ccc") == "valid");
  CHECK(answer(list_history(kSkew), OrderLevel{Visibility::kSerial}) == "invalid");
  CHECK(levels("iii").common() == OrderLevel{Visibility::kSnapshot});
  CHECK(levels("iis").common() == std::nullopt);
}

TEST_CASE("mixed levels: anti-dependencies count where a serializable transaction reads") {
  constexpr std::string_view kSkew = "rx ay1; ry ax1; rx1 ry1";
  CHECK(lists(kSkew, "css") == "valid");
  CHECK(lists(kSkew, "scs") == "valid");
  CHECK(lists(kSkew, "ssc") == "invalid");
  CHECK(lists(kSkew, "iss") == "valid");
}

TEST_CASE("mixed levels: read committed, each read counts by itself") {
  CHECK(registers("wx1; rx_ rx1; rx1", "scs") == "valid");
  CHECK(registers("wx1; rx_ rx1; rx1", "ssc") == "invalid");
  CHECK(registers("wx1 wy1; rx1 ry_; rx1", "scs") == "valid");
  CHECK(registers("wx1 wy1; rx1 ry_; rx1", "ssc") == "invalid");
  CHECK(lists("ax1; ax2; rx12 rx1; rx12", "sscs") == "valid");
}

TEST_CASE("mixed levels: read committed, reads are of what committed before") {
  CHECK(registers("rx1 wy1; ry1 wx1", "cs") == "invalid");
  CHECK(registers("rx1 wy1; ry1 wx1", "sc") == "invalid");
  CHECK(registers("rx1 wy1; ry_ wx1", "cs") == "valid");
  CHECK(registers("-wx1; rx1; wz1", "ccs") == "invalid");
  CHECK(registers("wx1 wx2; rx1; wz1", "scs") == "invalid");
}

TEST_CASE("mixed levels: a snapshot excludes other writers of its keys, whatever their level") {
  constexpr std::string_view kLost = "rx ax1; ax2; rx21";
  CHECK(lists(kLost, "iss") == "invalid");
  CHECK(lists(kLost, "ipp") == "invalid");
  CHECK(lists(kLost, "ics") == "invalid");
  CHECK(lists(kLost, "pis") == "valid");
  CHECK(lists(kLost, "pss") == "valid");
  CHECK(lists(kLost, "csi") == "valid");
  CHECK(lists(kLost, "sis") == "invalid");
}

TEST_CASE("mixed levels: session order binds writes, and reads of all but read committed") {
  const History history = register_history("0 wx1; 0 rx_ wy1; 1 ry1 rx_");
  CHECK(answer(history, levels("scs")) == "valid");
  const OrderLevel sessions = {Visibility::kSerial, true, false};
  CHECK(answer(history, levels("scs", sessions)) == "invalid");
  CHECK(answer(history, levels("scc", sessions)) == "valid");
  CHECK(answer(history, levels("ssc", sessions)) == "invalid");
}

TEST_CASE("mixed levels: what is not defined, or not decided yet, is unknown") {
  CHECK(registers("wx1 rx1; rx1", "cs") ==
        "a transaction at read-committed reads what it wrote itself");
  CHECK(registers("wx1 rx1; rx1", "sc") == "valid");
  CHECK(registers("wx1; rx1", "sw") ==
        "of the weak levels only read-committed can be mixed with others");
  const History history = register_history("wx1; rx1");
  const OrderLevel sessions = {Visibility::kSerial, true, false};
  CHECK(answer(history, TxnLevels(std::vector{sessions, OrderLevel{Visibility::kNothing}})) ==
        "levels that differ in whether session order or real time counts cannot be mixed");
  CHECK(registers("wx1; ?rx1 wy1; ry1", "scs") ==
        "it is unknown whether a transaction at read-committed took effect, with its reads");
}

}  // namespace
}  // namespace elapid
