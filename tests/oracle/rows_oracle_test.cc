#include "tests/oracle/rows_oracle.h"

#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "tests/oracle/random_rows.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// The strongest form that holds, as `strict-ser`, or nothing.
std::string strongest_form(const History& history, Visibility visibility, const std::string& name) {
  const bool is_strict = rows_hold(history, {visibility, true, true});
  const bool is_session = rows_hold(history, {visibility, true, false});
  const bool is_plain = rows_hold(history, {visibility, false, false});
  CHECK((!is_strict || is_session));
  CHECK((!is_session || is_plain));
  return is_strict    ? "strict-" + name + " "
         : is_session ? "session-" + name + " "
         : is_plain   ? name + " "
                      : "";
}

/// And `rr` for repeatable read.
std::string rows_levels(const History& history) {
  return strongest_form(history, Visibility::kSerial, "ser") +
         strongest_form(history, Visibility::kSnapshot, "si") +
         (rows_are_repeatable(history) ? "rr" : "");
}

std::string rows_levels(std::string_view text) {
  return rows_levels(rows_history(text));
}

TEST_CASE("rows oracle: the classic phantom is write skew over a predicate") {
  // Two transactions find nothing and each inserts a row that the other should have found.
  CHECK(rows_levels("0: [:rp [:in :a 1 9] {}] [:insert 1 {:a 5}]\n"
                    "1: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]") == "strict-si rr");
  CHECK(rows_levels("0: [:rp [:in :a 1 9] {}] [:insert 1 {:a 50}]\n"
                    "1: [:rp [:in :a 1 9] {}] [:insert 2 {:a 5}]") == "strict-ser strict-si rr");
}

TEST_CASE("rows oracle: reads by key are read skew at every level from repeatable read on") {
  CHECK(rows_levels("init {1 0 2 0}\n"
                    "0: [:w 1 1] [:w 2 1]\n"
                    "1: [:r 1 0] [:r 2 1]") == "");
  CHECK(rows_levels("init {1 0 2 0}\n"
                    "0: [:w 1 1] [:w 2 1]\n"
                    "1: [:rp [:= 0] {1 0}]") == "rr");  // row 2 was not shown: it is 1 by now
}

TEST_CASE("rows oracle: what is not shown did not match, dead and unborn rows included") {
  CHECK(rows_levels("0: [:insert 1 {:a 5}]\n0: [:rp :true {}]") == "ser si rr");
  CHECK(rows_levels("0: [:insert 1 {:a 5}]\n0: [:delete 1]\n0: [:rp :true {}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("init {1 5}\n0: [:rp :true {}]") == "");
  CHECK(rows_levels("init {1 5}\n0: [:rp [:= 6] {}]") == "strict-ser strict-si rr");
}

TEST_CASE("rows oracle: columns that an update does not name are carried over") {
  CHECK(rows_levels("0: [:insert 1 {:a 1 :b 1}]\n0: [:update 1 {:b 2}]\n"
                    "0: [:rp [:= :a 1] {1 {:a 1 :b 2}}]") == "strict-ser strict-si rr");
  CHECK(rows_levels("0: [:insert 1 {:a 1 :b 1}]\n1: [:update 1 {:b 2}]\n2: [:update 1 {:a 2}]\n"
                    "3: [:r 1 {:a 2 :b 1}]\n4: [:r 1 {:a 1 :b 2}]") == "");
}

TEST_CASE("rows oracle: own writes are seen, and null matches nothing") {
  CHECK(rows_levels("0: [:insert 1 {:a 1}] [:rp :true {1 {:a 1}}] [:delete 1] [:rp :true {}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("0: [:insert 1 {:a 1}] [:rp :true {}]") == "");
  CHECK(rows_levels("0: [:insert 1 {:a nil}] [:rp [:= :a 1] {}] [:rp [:not [:= :a 1]] {}]"
                    " [:rp [:present :a] {}] [:rp [:not [:present :a]] {1 {:a nil}}]") ==
        "strict-ser strict-si rr");
}

TEST_CASE("rows oracle: aborted and indeterminate writers") {
  CHECK(rows_levels("0!: [:insert 1 {:a 1}]\n1: [:rp :true {1 {:a 1}}]") == "");
  CHECK(rows_levels("0?: [:insert 1 {:a 1}]\n1: [:rp :true {1 {:a 1}}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("0?: [:insert 1 {:a 1}]\n1: [:rp :true {}]") == "strict-ser strict-si rr");
}

TEST_CASE("rows oracle: inserts of a row that exists, updates of one that does not") {
  CHECK(rows_levels("0: [:insert 1 1]\n1: [:insert 1 2]") == "");
  CHECK(rows_levels("0: [:insert 1 1]\n1: [:insert 1 2]\n2: [:delete 1]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("0: [:update 1 1]") == "");
}

TEST_CASE("rows oracle: unrecorded rows") {
  CHECK(rows_levels("open\n0: [:rp [:in 1 3] {1 2}]\n1: [:rp [:= 2] {1 2}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("open\n0: [:rp [:in 1 3] #{1}]\n1: [:rp [:in 3 5] #{1}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("open\n0: [:rp [:in 1 2] #{1}]\n1: [:rp [:in 3 5] #{1}]") == "");
}

TEST_CASE("rows oracle: writes by predicates") {
  CHECK(rows_levels("init {1 1 2 2}\n0: [:up [:= 1] 5 #{1}]\n0: [:rp :true {1 5 2 2}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("init {1 1 2 2}\n0: [:dp :true]\n0: [:rp :true {}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("init {1 1 2 2}\n0: [:dp :true 1]") == "");
}

TEST_CASE("rows oracle: results without keys, counts and limits") {
  CHECK(rows_levels("init {1 1 2 2 3 2}\n0: [:rp [:in 2 3] [2 2]] [:rp :true 3] [:rp [:= 7] "
                    "false] [:rp :true {1 1} {:first 1}] [:rp [:= 2] #{2} {:first 1}]") ==
        "strict-ser strict-si rr");
  CHECK(rows_levels("init {1 1 2 2 3 2}\n0: [:rp [:= 2] #{3} {:first 1}]") == "");
  CHECK(rows_levels("init {1 1 2 2 3 2}\n0: [:rp [:in 2 3] [2]]") == "");
}

TEST_CASE("rows oracle: at read atomic all of another transaction is seen, or nothing") {
  const auto is_atomic = [](std::string_view text) {
    return rows_are_read_atomic(rows_history(text));
  };
  CHECK_FALSE(is_atomic("init {1 0 2 0}\n0: [:w 1 1] [:w 2 1]\n1: [:r 1 1] [:r 2 0]"));
  CHECK(is_atomic("init {1 0 2 0}\n0: [:w 1 1] [:w 2 1]\n1: [:r 1 1]\n1: [:r 2 0]"));
  // A predicate that misses row 2 has not seen it.
  CHECK_FALSE(is_atomic("0: [:insert 1 {:a 1}] [:insert 2 {:a 1}]\n1: [:rp :true {1 {:a 1}}]"));
  CHECK(is_atomic("0: [:insert 1 {:a 1}] [:insert 2 {:a 2}]\n1: [:rp [:= :a 1] {1 {:a 1}}]"));
  CHECK(
      is_atomic("0: [:insert 1 {:a 1}] [:insert 2 {:a 1}]\n2: [:delete 2]\n"
                "1: [:rp :true {1 {:a 1}}]"));
  // A long fork, and a lost update, are none of its anomalies.
  CHECK(
      is_atomic("init {1 0 2 0}\n0: [:w 1 1]\n1: [:w 2 1]\n2: [:r 1 1] [:r 2 0]\n"
                "3: [:r 1 0] [:r 2 1]"));
  CHECK(is_atomic("init {1 0}\n0: [:r 1 0] [:w 1 1]\n1: [:r 1 0] [:w 1 2]"));
  CHECK_FALSE(is_atomic("init {1 0}\n0: [:w 1 1]\n1: [:r 1 0] [:rp [:= 1] {1 1}]"));
}

TEST_CASE("rows oracle: random histories are of all kinds") {
  std::size_t counts[2][2] = {};
  std::size_t refused = 0;
  const std::uint64_t histories = round_count(800, 800);
  for (std::uint64_t seed = 1; seed <= histories; ++seed) {
    const Result<History> history = build(random_rows(seed));
    if (!history) {
      ++refused;
      continue;
    }
    if (!rows_can_be_tried(history.value())) {
      continue;
    }
    const bool is_serial = rows_hold(history.value(), {Visibility::kSerial, false, false});
    const bool is_snapshot = rows_hold(history.value(), {Visibility::kSnapshot, false, false});
    const bool is_repeatable = rows_are_repeatable(history.value());
    INFO(rows_text(history.value()));
    CHECK((!is_serial || is_snapshot));
    const bool is_read_committed = rows_are_read_committed(history.value());
    CHECK((!is_serial || is_repeatable));
    CHECK((!is_repeatable || is_read_committed));
    CHECK((!is_snapshot || is_read_committed));
    const bool is_read_atomic = rows_are_read_atomic(history.value());
    CHECK((!is_snapshot || is_read_atomic));
    CHECK((!is_read_atomic || is_read_committed));
    ++counts[is_serial][is_repeatable];
  }
  CHECK(refused < histories / 10);
  CHECK(counts[0][0] > histories / 40);
  CHECK(counts[0][1] > histories / 160);
  CHECK(counts[1][1] > histories / 8);
}

}  // namespace
}  // namespace elapid
