#include "engine/predict/predict.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/sketch/tiny_history.h"
#include "parsers/read.h"
#include "tests/reference/predictions.h"

namespace elapid::predict {
namespace {

using reference::PlainAccess;
using reference::PlainLevel;
using reference::PlainObservation;

Observation observation_of(std::string_view text) {
  Result<Observation> observation = observe(build(parse_tiny(Workload::kRwRegister, text)));
  REQUIRE(observation.ok());
  return std::move(observation).value();
}

Found predict_first(const Observation& observation, Visibility level, BoundaryKind boundary) {
  return Predictor(observation, {.level = level, .boundary = boundary}).next();
}

TEST_CASE("a lost update is predicted at causal consistency, not at snapshot isolation") {
  const Observation observation = observation_of("0+ rx_ wx1; 1+ rx1 wx2");
  CHECK(predict_first(observation, Visibility::kCausal, BoundaryKind::kRelaxed) ==
        Found::kPrediction);
  CHECK(predict_first(observation, Visibility::kCausal, BoundaryKind::kStrict) == Found::kNone);
  CHECK(predict_first(observation, Visibility::kSnapshot, BoundaryKind::kRelaxed) == Found::kNone);
}

TEST_CASE("what is irrelevant to a prediction is cut") {
  const Observation observation =
      observation_of("0+ wz1; 0+ rx_ wx1; 0+ wz2; 1+ rx1 wx2; 2+ rz2; 2+ rx2");
  Predictor predictor(observation, {.level = Visibility::kCausal});
  REQUIRE(predictor.next() == Found::kPrediction);
  CHECK(changed_reads(observation, predictor.prediction()) == 1);
  CHECK(predictor.contradicting().size() == 2);
  std::size_t kept = 0;
  for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
    kept += predictor.prediction().keeps(t) ? 1U : 0U;
  }
  CHECK(kept == 3);  // the write of z before it, too
}

TEST_CASE("predictions differ, and have few changed reads first") {
  const Observation observation = observation_of("0+ rx_ wx1; 1+ rx1 wx2; 2+ rx2 wx3");
  Predictor predictor(observation, {.level = Visibility::kCausal});
  std::vector<std::vector<std::uint32_t>> seen;
  std::size_t last = 0;
  while (predictor.next() == Found::kPrediction) {
    const std::size_t changed = changed_reads(observation, predictor.prediction());
    CHECK(changed >= last);
    last = changed;
    seen.push_back(predictor.contradicting());
    REQUIRE(seen.size() < 100);
  }
  CHECK(seen.size() >= 3);
}

TEST_CASE("a budget ends the search") {
  const Observation observation = observation_of("0+ wx1; 1+ rx1 wx2; 2+ rx2 wx3");
  Predictor predictor(observation, {.level = Visibility::kSnapshot, .most_orders = 1});
  CHECK(predictor.next() == Found::kOutOfBudget);
}

// The table of results for IsoPredict's microbenchmarks.
struct Row {
  std::string_view file;
  std::string_view with_change;  // of rc, ra, cc, pc, si: y, n, or r for relaxed only
  std::string_view satisfied;    // by the observation, which is then an answer itself
};

constexpr std::array kRows = {
    Row{"always_serial_2s4t", "ynnnn", "yyyyy"}, Row{"always_serial_3s3t", "nnnnn", "yyyyy"},
    Row{"always_serial_3s4t", "nnnnn", "yyyyy"}, Row{"simple_serial_2s3t", "yyyyy", "yyyyy"},
    Row{"simple_causal_2s3t", "nnnnn", "yyyyy"}, Row{"simple_causal_2s4t", "ynnnn", "yyyyn"},
    Row{"simple_causal_2s5t", "yyyyy", "yyyyy"}, Row{"simple_noncausal_2s3t", "yyyyy", "nnnnn"},
    Row{"not_readcommitted", "rnnnn", "nnnnn"}};

constexpr std::array kLevels = {std::pair(PlainLevel::kRc, Visibility::kReadCommitted),
                                std::pair(PlainLevel::kRa, Visibility::kReadAtomic),
                                std::pair(PlainLevel::kCc, Visibility::kCausal),
                                std::pair(PlainLevel::kPc, Visibility::kPrefix),
                                std::pair(PlainLevel::kSi, Visibility::kSnapshot)};

PlainObservation plain(const Observation& observation) {
  PlainObservation observed;
  for (std::uint32_t t = 1; t < observation.txns.size(); ++t) {
    reference::PlainTxn txn = {.session = static_cast<int>(observation.txns[t].session.value)};
    for (const ObservedEvent& event : observation.txns[t].events) {
      txn.events.push_back(
          {event.is_write, static_cast<int>(event.key.value), static_cast<int>(event.writer) - 1});
    }
    observed.txns.push_back(std::move(txn));
  }
  return observed;
}

TEST_CASE("the microbenchmarks of IsoPredict") {
  for (const Row& row : kRows) {
    const Result<LoadedHistory> loaded = read_history(
        ELAPID_SHARED "/corpus/isopredict/tests/microbenchmark/" + std::string(row.file) + ".txt",
        {});
    REQUIRE(loaded.ok());
    const Result<Observation> observation = observe(loaded.value().history());
    REQUIRE(observation.ok());
    const PlainObservation observed = plain(observation.value());
    const bool is_serializable = reference::satisfies(observed, PlainLevel::kSer);
    CHECK(is_serializable == row.file.find("_serial_") < row.file.size());
    for (const bool relaxed : {false, true}) {
      for (std::size_t l = 0; l < kLevels.size(); ++l) {
        CAPTURE(row.file, relaxed, l);
        const bool expected = row.with_change[l] == 'y' || (row.with_change[l] == 'r' && relaxed);
        const auto [level, visibility] = kLevels[l];
        CHECK(reference::is_predictable(observed, level, PlainLevel::kSer, relaxed, true) ==
              expected);
        const bool is_answer = reference::satisfies(observed, level) && !is_serializable;
        const Found found = predict_first(observation.value(), visibility,
                                          relaxed ? BoundaryKind::kRelaxed : BoundaryKind::kStrict);
        CHECK((found == Found::kPrediction) == (expected || is_answer));
        if (!is_serializable) {
          CHECK(reference::satisfies(observed, level) == (row.satisfied[l] == 'y'));
        }
      }
    }
  }
}

}  // namespace
}  // namespace elapid::predict
