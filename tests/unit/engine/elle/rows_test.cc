// Elle's odd closed-predicate rules. The expected answers follow from docs/elle-rules.md. The
// answer on traces without a violation is unknown.
#include <catch2/catch.hpp>
#include <string>
#include <string_view>

#include "engine/check/check.h"
#include "tests/oracle/random_rows.h"
#include "tests/support/verdict_text.h"

namespace elapid {
namespace {

std::string as_elle_answers(std::string_view text, Model model = Model::kPl3) {
  CheckOptions options{.models = ModelSet{model}};
  options.assumptions.elle_compat = true;
  const History history = rows_history(text);
  const Result<Verdict> verdict = check(history, options);
  return verdict.ok() && verdict.value().elle_error ? *verdict.value().elle_error
                                                    : verdict_text(verdict);
}

TEST_CASE("elle rows: a write follows nothing, an insert does") {
  // T1's insert follows T0's, whose value T1's session read later: a cycle of ww and rw.
  CHECK(as_elle_answers("0: [:insert 1 1] [:r 2 nil]\n1: [:insert 1 2] [:insert 2 1]\n"
                        "2: [:r 2 1] [:r 1 1]")
            .find("G-single-item") != std::string::npos);
  CHECK(as_elle_answers("0: [:w 1 1]\n1: [:w 1 2]") == "unknown empty-transaction-graph");
}

TEST_CASE("elle rows: a value written twice is refused") {
  CHECK(as_elle_answers("0: [:w 1 1]\n1: [:w 1 1]").find("multiple-writes-of-same-value") !=
        std::string::npos);
  CHECK(as_elle_answers("0: [:w 1 1] [:delete 1]\n1: [:w 1 2] [:delete 1]").find(":elle/dead") !=
        std::string::npos);
}

TEST_CASE("elle rows: a row without a value is refused") {
  CHECK(as_elle_answers("0: [:put 1 {}] [:rp :true {}]").find("found a row without one") !=
        std::string::npos);
  CHECK(as_elle_answers("0: [:insert 1 {}]").find("found a row without one") != std::string::npos);
}

TEST_CASE("elle rows: of several versions that do not match none is selected") {
  // Row 1 may have been unborn or 2 for T1, so that nothing follows from its not matching.
  CHECK(as_elle_answers("0: [:w 1 2] [:rp [:= 5] {}]\n1: [:w 2 5] [:rp [:= 9] {}]") == "unknown");
}

TEST_CASE("elle rows: who misses a row that was there from the beginning reads nothing before it") {
  const std::string answer = as_elle_answers("init {5 3}\n1: [:rp [:mod 2 1] {}]", Model::kPlSs);
  CHECK(answer.find("predicate-read-miss") != std::string::npos);
  CHECK(answer.find("G-single") == std::string::npos);
}

TEST_CASE("elle rows: a read of nil that may mean two things is read from who has not written it") {
  // Row 1 was unborn and is dead later: which of them the last transaction read is not known. So
  // its edge from the one before is explained as wr, and the cycle of two anti-dependencies is of
  // no class that was searched for.
  const std::string skew = as_elle_answers(
      "0: [:insert 1 1]\n0: [:delete 1]\n1: [:r 3 nil] [:insert 4 1]\n"
      "2: [:r 1 nil] [:r 4 nil] [:insert 3 1]");
  CHECK(skew.find("PL-2.99-cycle-exists") != std::string::npos);
  CHECK(skew.find("G2-item") == std::string::npos);
  CHECK(
      as_elle_answers("1: [:r 3 nil] [:insert 4 1]\n2: [:r 4 nil] [:insert 3 1]").find("G2-item") !=
      std::string::npos);
}

TEST_CASE("elle rows: repeatable read allows cycles of predicates") {
  constexpr std::string_view kSkew = "0: [:w 1 1] [:rp :true {}]\n1: [:w 2 2] [:rp :true {}]";
  CHECK(as_elle_answers(kSkew, Model::kPl299) == "unknown");
  CHECK(as_elle_answers(kSkew).find("G2") != std::string::npos);
}

}  // namespace
}  // namespace elapid
