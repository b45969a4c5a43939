// Certificates of rows as files: those that a check writes are accepted, and what is accepted is
// so, however a file was damaged.
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "engine/check/check.h"
#include "harness/generate/random.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/property/certificate_text.h"
#include "tests/property/mutated_json.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

/// Whether what it claims is so.
bool is_so(const Certificate& certificate, const History& history) {
  const OrderLevel level = order_level(certificate.model).value();
  const bool is_valid = std::holds_alternative<Witness>(certificate.evidence);
  if (certificate.model == Model::kPl299) {
    return rows_are_repeatable(history) == is_valid;
  }
  if (certificate.model == Model::kPl2) {
    return rows_are_read_committed(history) == is_valid;
  }
  if (certificate.model == Model::kReadAtomic) {
    return rows_are_read_atomic(history) == is_valid;
  }
  const bool lacks_time = level.real_time && !history.info().has_real_time;
  return lacks_time || rows_hold(history, level) == is_valid;
}

constexpr std::array<std::string_view, 37> kWords = {"serializable",
                                                     "repeatable-read",
                                                     "read-committed",
                                                     "read-atomic",
                                                     "fractured",
                                                     "snapshot-isolation",
                                                     "strict-serializable",
                                                     "strong-session-snapshot-isolation",
                                                     "causal",
                                                     "before",
                                                     "between",
                                                     "took-effect",
                                                     "concerned",
                                                     "at-first",
                                                     "beginning",
                                                     "taken",
                                                     "contents",
                                                     "not",
                                                     "start",
                                                     "exists",
                                                     "version",
                                                     ":a",
                                                     ":b",
                                                     "0",
                                                     "1",
                                                     "missed",
                                                     "found",
                                                     "causes",
                                                     "later",
                                                     "overlap",
                                                     "cycle",
                                                     "meaning",
                                                     "versions",
                                                     "written",
                                                     "at-least",
                                                     "at-most",
                                                     "clause"};

TEST_CASE(
    "rows: certificates are accepted as they were written, and prove nothing that is not so") {
  const std::uint64_t first = 95'000'000'000 + first_seed_of_cases();
  const std::uint64_t cases = case_count(400);
  constexpr int kFiles = 15;
  std::size_t valid = 0;
  std::size_t invalid = 0;
  std::size_t accepted = 0;
  std::size_t rejected = 0;
  std::string other = "{}";
  Random random(first);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> built = build(random_rows(seed));
    if (!built || !rows_can_be_tried(built.value())) {
      continue;
    }
    const History& history = built.value();
    INFO("seed " << seed << '\n' << rows_text(history));
    const Result<Verdict> verdict =
        check(history, {.models = {Model::kPl3, Model::kPlSi, Model::kPlSs, Model::kPl299,
                                   Model::kPl2, Model::kReadAtomic}});
    REQUIRE(verdict);
    const std::string text = certificates_text(history, verdict.value());
    if (text.empty()) {
      continue;
    }
    const auto certificates = certificates_in(text, history);
    INFO(text);
    INFO((certificates ? "" : certificates.error().to_string()));
    REQUIRE(certificates);
    for (const Certificate& certificate : certificates.value()) {
      CHECK(flaw_of(certificate, history).value_or("") == "");
      CHECK(is_so(certificate, history));
      ++(std::holds_alternative<Witness>(certificate.evidence) ? valid : invalid);
    }
    for (int i = 0; i < kFiles; ++i) {
      const std::string damaged = mutated_json(text, other, kWords, random);
      auto read = certificates_in(damaged, history);
      if (!read) {
        CHECK(read.error().to_string().find('\n') == std::string::npos);
        continue;
      }
      for (Certificate& certificate : read.value()) {
        certificate.unknown_name.reset();  // evidence is not trusted either
        if (flaw_of(certificate, history)) {
          ++rejected;
          continue;
        }
        ++accepted;
        INFO(damaged);
        CHECK(is_so(certificate, history));
      }
    }
    other = text;
  }
  CHECK(valid > cases / 4);
  CHECK(invalid > cases / 20);
  CHECK(accepted > cases / 4);
  CHECK(rejected > cases / 4);
}

}  // namespace
}  // namespace elapid
