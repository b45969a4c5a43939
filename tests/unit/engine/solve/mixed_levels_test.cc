// Levels that differ by transaction.
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/certify/orders/mixed_order.h"
#include "engine/certify/proofs/mixed_proof.h"
#include "engine/ir/history_builder.h"
#include "engine/levels/txn_levels.h"
#include "engine/solve/solve.h"
#include "harness/sketch/tiny_history.h"

namespace elapid {
namespace {

/// By transaction: `s`erializable, snapshot `i`solation, `p`refix consistency, causal (`w`), read
/// `a`tomic, monotonic `v`iew, read `c`ommitted, cursor stability (`k`), or `g`, a session
/// guarantee.
TxnLevels levels(std::string_view letters, OrderLevel orders = {}) {
  std::vector<OrderLevel> by_txn;
  for (const char letter : letters) {
    orders.visibility = letter == 's'   ? Visibility::kSerial
                        : letter == 'i' ? Visibility::kSnapshot
                        : letter == 'p' ? Visibility::kPrefix
                        : letter == 'c' ? Visibility::kNothing
                        : letter == 'a' ? Visibility::kReadAtomic
                        : letter == 'v' ? Visibility::kReadCommitted
                        : letter == 'k' ? Visibility::kCursor
                        : letter == 'g' ? Visibility::kMonotonicReads
                                        : Visibility::kCausal;
    by_txn.push_back(orders);
  }
  return TxnLevels(std::move(by_txn));
}

std::string answer(const History& history, const TxnLevels& levels) {
  const SolveResult result = solve_mixed(history, levels);
  if (result.witness) {
    CHECK(check_mixed_order(history, levels, *result.witness) == std::nullopt);
  }
  if (result.refutation) {
    CHECK(check_mixed_proof(history, levels, *result.refutation) == std::nullopt);
  }
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

TEST_CASE("mixed levels: session order and real time lead to those that ask for them") {
  const OrderLevel sessions = {Visibility::kSerial, true, false};
  const OrderLevel none = {Visibility::kSerial};
  const History stale = register_history("0 wx1; 0 rx_");
  CHECK(answer(stale, TxnLevels(std::vector{none, sessions})) == "invalid");
  CHECK(answer(stale, TxnLevels(std::vector{sessions, none})) == "valid");
  const History later = register_history("0 wx1; 1 rx_");
  const OrderLevel strict = {Visibility::kSerial, true, true};
  CHECK(answer(later, TxnLevels(std::vector{none, strict})) == "invalid");
  CHECK(answer(later, TxnLevels(std::vector{strict, sessions})) == "valid");
}

// docs/levels.md, "Levels by transaction": the last transaction's level is that of the column, all
// others are serializable.
TEST_CASE("mixed levels: each pair of levels is told apart beside serializable transactions") {
  struct Row {
    std::string_view history;
    std::string_view allows;  // of "sipwavck"
  };

  constexpr Row kRows[] = {{"rx_ wy1; ry_ wx1", "ipwavck"},
                           {"rx_ wx1; rx_ wx2", "pwavc"},
                           {"wx1; wy1; rx1 ry_; ry1 rx_", "wavck"},
                           {"wx1; rx1 wy1; ry1 rx_", "avck"},
                           {"wx1 wy1; ry_ rx1", "vck"},
                           {"wx1 wy1; rx1 ry_", "ck"},
                           {"wx1; rx_ rx1", "vck"}};
  for (const Row& row : kRows) {
    for (const char letter : std::string_view("sipwavck")) {
      const History history = register_history(row.history);
      std::string letters(history.txn_count(), 's');
      letters.back() = letter;
      CAPTURE(row.history, letters);
      CHECK(answer(history, levels(letters)) ==
            (row.allows.find(letter) == std::string_view::npos ? "invalid" : "valid"));
    }
  }
}

// docs/levels.md, "Pairs of levels": all at the stronger one, it is wrong; with the last
// transaction at the weaker one, right.
TEST_CASE("mixed levels: each pair of levels has a smallest example") {
  struct Pairs {
    std::string_view history;
    std::string_view pairs;  // stronger and weaker ones, of "sipwavck"
  };

  constexpr Pairs kPairs[] = {
      {"rx_ wy1; ry_ wx1", "si sp sw sa sv sc sk"},
      {"rx_ wx1; rx_ wx2", "ip iw ia iv ic kc"},
      {"wx1 wy1; ry_ rx1", "ik pv pc pk wv wc wk av ac ak"},
      {"wx1 wy1; rx1 ry_", "vc vk"},
      {"wx1; rx1 wy1; ry1 rx_", "pa wa"},
      {"wx1; wy1; rx1 ry_; ry1 rx_", "pw"},
  };
  std::size_t count = 0;
  for (const Pairs& row : kPairs) {
    for (std::size_t i = 0; i < row.pairs.size(); i += 3, ++count) {
      const History history = register_history(row.history);
      std::string letters(history.txn_count(), row.pairs[i]);
      CAPTURE(row.history, row.pairs.substr(i, 2));
      CHECK(answer(history, levels(letters)) == "invalid");
      letters.back() = row.pairs[i + 1];
      CHECK(answer(history, levels(letters)) == "valid");
    }
  }
  CHECK(count == 8 * 7 / 2);
}

TEST_CASE("mixed levels: read uncommitted asks nothing of reads, and serves others as a writer") {
  const auto dirty = [](std::string_view text, std::string_view letters, std::vector<bool> which) {
    std::vector<OrderLevel> by_txn;
    const TxnLevels told = levels(letters);
    for (TxnId txn{0}; txn.index() < letters.size(); ++txn.value) {
      by_txn.push_back(told.of(txn));
    }
    return answer(register_history(text), TxnLevels(std::move(by_txn), std::move(which)));
  };
  CHECK(dirty("-wx1; rx1 wy1; ry1", "scs", {false, true, false}) == "valid");
  CHECK(dirty("-wx1; rx1 wy1; ry1", "scs", {}) == "invalid");
  CHECK(dirty("rx7 rx_ wx1; rx1", "cs", {true, false}) == "valid");
  CHECK(dirty("wx1 wy1; rx1 ry_; rx2", "scs", {false, true, false}) == "invalid");
  CHECK(dirty("wx1 wy1; wx2; rx2 ry_", "scs", {false, true, false}) == "valid");
  CHECK(dirty("wx1; rx1 wx2 wy1; rx1 ry1", "scs", {false, true, false}) == "valid");
}

TEST_CASE("mixed levels: PostgreSQL commits it, though two of three are serializable") {
  CHECK(registers("rx_ wy1; wx1; rx1 ry_", "scs") == "invalid");
  CHECK(registers("rx_ wy1; wx1; rx1 ry_", "sis") == "invalid");
  CHECK(registers("rx_ wy1; wx1; rx1 ry_", "sss") == "invalid");
  CHECK(registers("rx_ wy1; wx1; rx1 ry_", "scc") == "valid");
}

TEST_CASE("mixed levels: a causal path is of reads, whatever the levels of those in between") {
  CHECK(registers("ry_ wx1; wy1; ry1 rx_", "ssw") == "valid");
  CHECK(registers("ry_ wx1; wy1; ry1 rx_", "ssp") == "invalid");
}

TEST_CASE("mixed levels: own writes are judged by the reader's own level") {
  CHECK(registers("wx1 rx_; rx1", "cs") == "valid");
  CHECK(registers("wx1 rx_; rx1", "sc") == "invalid");
  CHECK(registers("wx1 rx_; rx1", "as") == "invalid");
  CHECK(registers("rx1 wx1; wy1", "cs") == "invalid");  // a future read
  CHECK(registers("rx1 wx1; wx1", "cs") == "valid");
  CHECK(lists("ax2 ax1; rx2 ax2; ry", "sis") == "invalid");  // an intermediate state of T1
  CHECK(registers("wx1; rx_ rx1 wx2; ry_", "sks") == "invalid");
  CHECK(lists("ax1; rx rx1 ax2; ry", "sks") == "invalid");
  CHECK(registers("wx1; rx_ rx1; ry_", "sks") == "valid");
}

TEST_CASE("mixed levels: two names of the initial state, in whichever order they are read") {
  const auto initial_is_0 = [](std::string_view text, std::string_view letters) {
    OrderLevel sessions;
    sessions.sessions = true;
    return answer(build_with_initial(parse_tiny(Workload::kRwRegister, text)),
                  levels(letters, sessions));
  };
  for (const char level : {'s', 'i', 'p', 'w', 'a'}) {
    const std::string letters = {'s', level, 's'};
    CAPTURE(level);
    CHECK(initial_is_0("0+ wx0; 0+ rx0 rx_; wy1", letters) == "invalid");
    CHECK(initial_is_0("0+ wx0; 0+ rx_ rx0; wy1", letters) == "invalid");
    CHECK(initial_is_0("0+ wx0; 1+ rx0 rx_; wy1", letters) == "valid");
    CHECK(initial_is_0("0+ wx0; 1+ rx_ rx0; wy1", letters) == "valid");
    CHECK(initial_is_0("0+ wx0; 1+ rx_ rx0 wx2; ry0", letters) == "valid");
  }
  CHECK(initial_is_0("0+ wx0; 0+ rx0 rx_ wx2; wy1", "sks") == "invalid");
  CHECK(initial_is_0("0+ wx0; 0+ rx_ rx0 wx2; wy1", "sks") == "invalid");
  CHECK(initial_is_0("0+ wx0; 1+ rx_ rx0 wx2; wy1", "sks") == "valid");
  CHECK(initial_is_0("0+ rx0 wx0; wy1; ry1", "asc") == "valid");
  CHECK(initial_is_0("0+ wx0 wy1; 1+ ry1 rx0 rx_; wz1", "sas") == "invalid");
  CHECK(initial_is_0("0+ wx0 wy1; 1+ ry1 rx_ rx0; wz1", "sas") == "invalid");
}

TEST_CASE("mixed levels: a bulk load of many keys and one scan of them, at a weak level") {
  constexpr std::uint32_t kKeys = 4'000;
  std::vector<MopInput> load;
  std::vector<MopInput> scan;
  HistoryBuilder builder;
  for (std::uint32_t k = 0; k < kKeys; ++k) {
    const KeyId key = builder.key(ValueId::integer(k));
    load.push_back({.kind = OpKind::kWrite, .key = key, .value = ValueId::integer(1)});
    scan.push_back({.kind = OpKind::kRead, .key = key, .value = ValueId::integer(1)});
  }
  REQUIRE(builder.add_transaction({.session = 0, .mops = load}));
  REQUIRE(builder.add_transaction({.session = 1, .mops = scan}));
  const Result<History> built = std::move(builder).build({});
  REQUIRE(built);
  CHECK(answer(built.value(), levels("sa")) == "valid");
  CHECK(answer(built.value(), levels("sv")) == "valid");
}

TEST_CASE("mixed levels: many transactions read what they then write") {
  constexpr std::uint32_t kTxns = 20'000;
  HistoryBuilder builder;
  for (std::uint32_t t = 0; t < kTxns; ++t) {
    const KeyId key = builder.key(ValueId::integer(t));
    const std::vector<MopInput> mops = {
        {.kind = OpKind::kRead, .key = key, .value = ValueId::integer(1)},
        {.kind = OpKind::kWrite, .key = key, .value = ValueId::integer(1)}};
    REQUIRE(builder.add_transaction({.session = t % 10, .mops = mops}));
  }
  const Result<History> built = std::move(builder).build({});
  REQUIRE(built);
  CHECK(answer(built.value(), levels("s" + std::string(kTxns - 1, 'v'))) == "invalid");
}

TEST_CASE("mixed levels: an indeterminate transaction counts with its reads if it was read from") {
  CHECK(registers("wx1; ?rx1 wy1; ry1", "scs") == "valid");
  CHECK(registers("wx1; ?rx7 wy1; ry1", "scs") == "invalid");
  CHECK(registers("wx1; ?rx7 wy1; ry_", "scs") == "valid");
  CHECK(lists("?rx1 ax1 ax2; ax2; rx1 ax3", "www") == "invalid");  // G1b, where 2 is there twice
}

TEST_CASE("mixed levels: what is not defined, or not decided, is unknown") {
  CHECK(registers("wx1; rx1", "sg") ==
        "session guarantees and pram cannot be mixed with other levels");
  CHECK(registers("wx1; wx1; rx1 rx_", "ssa") == "invalid");
  CHECK(registers("wx1; wx1; rx1", "ssa") ==
        "a read that a weak level depends on may have seen one of several writes");
  CHECK(lists("ax1; ax1; rx11 rx1; rx", "sscs") == "valid");
}

}  // namespace
}  // namespace elapid
