// Predictions of small random observations: the engine's answer is that of the definition
// (tests/reference/predictions.h), at every level and both boundaries, and every prediction is
// checked by the engines that know nothing of predictions.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/certify/predictions/no_prediction.h"
#include "engine/check/check.h"
#include "engine/ir/history_builder.h"
#include "engine/predict/predict.h"
#include "harness/generate/random.h"
#include "harness/predict/replay_store.h"
#include "harness/predict/trace_client.h"
#include "tests/reference/predictions.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using predict::BoundaryKind;
using predict::Found;
using predict::Observation;
using predict::Prediction;
using predict::Predictor;
using reference::PlainAccess;
using reference::PlainLevel;
using reference::PlainObservation;
using reference::PlainTxn;

struct LevelPair {
  PlainLevel plain;
  Visibility visibility;
  Model model;
};

constexpr std::array kLevels = {
    LevelPair{PlainLevel::kRc, Visibility::kReadCommitted, Model::kRc},
    LevelPair{PlainLevel::kRa, Visibility::kReadAtomic, Model::kRa},
    LevelPair{PlainLevel::kCc, Visibility::kCausal, Model::kCc},
    LevelPair{PlainLevel::kPc, Visibility::kPrefix, Model::kPc},
    LevelPair{PlainLevel::kSi, Visibility::kSnapshot, Model::kStrongSessionSnapshotIsolation},
    LevelPair{PlainLevel::kSer, Visibility::kSerial, Model::kStrongSessionSerializable}};

bool writes(const PlainTxn& txn, int key) {
  return std::ranges::any_of(txn.events,
                             [key](const PlainAccess& e) { return e.is_write && e.key == key; });
}

/// Transactions one after the other, each read from the newest writer; in one of four some reads
/// are from others.
PlainObservation random_observation(Random& random) {
  PlainObservation observed;
  const auto sessions = static_cast<int>(2 + random.below(2));
  const auto keys = static_cast<int>(1 + random.below(3));
  const bool is_odd = random.percent(25);
  std::map<int, int> newest;
  const std::size_t count = 2 + random.below(4);
  for (std::size_t t = 0; t < count; ++t) {
    PlainTxn txn = {.session = static_cast<int>(random.below(static_cast<std::size_t>(sessions)))};
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      const PlainAccess event = {random.percent(50),
                                 static_cast<int>(random.below(static_cast<std::size_t>(keys)))};
      if (writes(txn, event.key)) {
        continue;
      }
      txn.events.push_back(event);
      if (!event.is_write) {
        std::vector<int> writers = {-1};
        for (const auto& [key, writer] : newest) {
          if (key == event.key) {
            writers.push_back(writer);
          }
        }
        for (std::size_t w = 0; is_odd && w < t; ++w) {
          if (writes(observed.txns[w], event.key)) {
            writers.push_back(static_cast<int>(w));
          }
        }
        txn.events.back().writer = is_odd ? random.pick(writers) : writers.back();
      }
    }
    for (const PlainAccess& event : txn.events) {
      if (event.is_write) {
        newest[event.key] = static_cast<int>(t);
      }
    }
    observed.txns.push_back(std::move(txn));
  }
  return observed;
}

/// Whether the outcome of the transaction is unknown, and yet certain: a later one read from it.
/// All its reads have a result. It is the last of its session.
bool is_open(const PlainObservation& observed, std::size_t t) {
  const auto reads_from_it = [t](const PlainTxn& txn) {
    return std::ranges::any_of(txn.events, [t](const PlainAccess& event) {
      return !event.is_write && event.writer == static_cast<int>(t);
    });
  };
  const auto is_of_session = [&](const PlainTxn& txn) {
    return txn.session == observed.txns[t].session;
  };
  const auto later = observed.txns.begin() + static_cast<std::ptrdiff_t>(t) + 1;
  return t % 2 == 0 && std::none_of(later, observed.txns.end(), is_of_session) &&
         std::ranges::all_of(
             observed.txns[t].events,
             [](const PlainAccess& event) { return event.is_write || event.writer >= 0; }) &&
         std::any_of(later, observed.txns.end(), reads_from_it);
}

/// Writes of transaction t have the value t + 1. `name`: of sessions and keys.
History history_of(const PlainObservation& observed, int name = 0) {
  HistoryBuilder builder;
  std::vector<MopInput> mops;
  const auto value = [](int writer) {
    return writer < 0 ? ValueId::nil() : ValueId::integer(writer + 1);
  };
  for (std::size_t t = 0; t < observed.txns.size(); ++t) {
    mops.clear();
    for (const PlainAccess& event : observed.txns[t].events) {
      mops.push_back(
          {.kind = event.is_write ? OpKind::kWrite : OpKind::kRead,
           .key = builder.key(ValueId::integer(name == 0 ? event.key : name - event.key)),
           .value = value(event.is_write ? static_cast<int>(t) : event.writer)});
    }
    const int session = observed.txns[t].session;
    REQUIRE(builder
                .add_transaction({.session = name == 0 ? session : name - session,
                                  .status = is_open(observed, t) ? TxnStatus::kIndeterminate
                                                                 : TxnStatus::kCommitted,
                                  .mops = mops})
                .ok());
  }
  Result<History> built =
      std::move(builder).build({.workload = Workload::kRwRegister, .has_real_time = false});
  REQUIRE(built.ok());
  return std::move(built).value();
}

std::string text_of(const PlainObservation& observed) {
  std::string text;
  for (std::size_t t = 0; t < observed.txns.size(); ++t) {
    text += "\n" + std::to_string(t) + " s" + std::to_string(observed.txns[t].session) + ":";
    for (const PlainAccess& e : observed.txns[t].events) {
      text += (e.is_write ? " w" : " r") + std::to_string(e.key) +
              (e.is_write ? "" : "<" + std::to_string(e.writer));
    }
  }
  return text;
}

Validity validity_at(const History& history, Model model) {
  CheckOptions options;
  options.models.set(model);
  const Result<Verdict> verdict = check(history, options);
  REQUIRE(verdict.ok());
  return verdict.value().validity;
}

bool is_predicted(const History& history, const LevelPair& level, const LevelPair& target,
                  BoundaryKind boundary) {
  const Result<Observation> observation = predict::observe(history);
  REQUIRE(observation.ok());
  Predictor predictor(
      observation.value(),
      {.level = level.visibility, .target = target.visibility, .boundary = boundary});
  const Found found = predictor.next();
  REQUIRE(found != Found::kOutOfBudget);
  if (found == Found::kPrediction) {
    std::vector<std::uint32_t> origins;
    const Result<History> predicted =
        predict::history_of(history, observation.value(), predictor.prediction(), origins);
    REQUIRE(predicted.ok());
    CHECK(validity_at(predicted.value(), level.model) == Validity::kValid);
    CHECK(validity_at(predicted.value(), target.model) == Validity::kInvalid);
  }
  return found == Found::kPrediction;
}

TEST_CASE("property: predictions are those of the definition") {
  const std::uint64_t seed = first_seed_of_cases();
  std::size_t found = 0;
  std::size_t none = 0;
  for (std::uint64_t i = 0; i < case_count(400); ++i) {
    Random random(seed * 1'000'003 + i);
    const PlainObservation observed = random_observation(random);
    const History history = history_of(observed);
    CAPTURE(seed, i, text_of(observed));
    const std::size_t target = random.percent(70) ? 5 : 1 + random.below(5);
    for (const bool relaxed : {false, true}) {
      const BoundaryKind boundary = relaxed ? BoundaryKind::kRelaxed : BoundaryKind::kStrict;
      for (std::size_t level = 0; level < target; ++level) {
        CAPTURE(relaxed, level, target);
        const bool expected = reference::is_predictable(observed, kLevels[level].plain,
                                                        kLevels[target].plain, relaxed);
        REQUIRE(is_predicted(history, kLevels[level], kLevels[target], boundary) == expected);
        ++(expected ? found : none);
      }
    }
  }
  CHECK(found > none / 10);
  CHECK(none > found / 10);
}

/// All orders of the transactions with session order.
std::vector<std::vector<OrderEvent>> all_orders(const Observation& observation) {
  std::vector<std::uint32_t> numbers(observation.txns.size() - 1);
  std::iota(numbers.begin(), numbers.end(), 1U);
  std::vector<std::vector<OrderEvent>> orders;
  do {
    std::vector<OrderEvent> order;
    std::vector<bool> is_there(observation.txns.size(), false);
    is_there[predict::kInitial] = true;
    for (const std::uint32_t t : numbers) {
      if (is_there[observation.txns[t].before]) {
        is_there[t] = true;
        order.push_back({observation.txns[t].txn, true});
      }
    }
    if (order.size() == numbers.size()) {
      orders.push_back(std::move(order));
    }
  } while (std::ranges::next_permutation(numbers).found);
  return orders;
}

// The claim stands by the orders that the search met, or by no orders at all.
TEST_CASE("property: that there is no prediction is certified where it is so, and only there") {
  std::size_t accepted = 0;
  std::size_t needed = 0;
  for (std::uint64_t i = 0; i < case_count(400); ++i) {
    Random random(first_seed_of_cases() * 5'000'011 + i);
    const PlainObservation observed = random_observation(random);
    const History history = history_of(observed);
    const Result<Observation> observation = predict::observe(history);
    REQUIRE(observation.ok());
    const std::size_t target = 1 + random.below(5);
    const std::size_t level = random.below(target);
    const bool relaxed = random.percent(50);
    CAPTURE(i, level, target, relaxed, text_of(observed));
    certify::NoPrediction claim = {.level = kLevels[level].visibility,
                                   .target = kLevels[target].visibility,
                                   .is_strict = !relaxed};
    Predictor predictor(observation.value(),
                        {.level = claim.level,
                         .target = claim.target,
                         .boundary = relaxed ? BoundaryKind::kRelaxed : BoundaryKind::kStrict,
                         .keeps_orders = true});
    const bool is_none = predictor.next() == Found::kNone;
    for (const predict::EventOrder& order : predictor.explaining_orders()) {
      claim.orders.push_back(predict::events_in_order(observation.value(), order, claim.target));
    }
    CHECK(certify::check_no_prediction(history, claim).has_value() == !is_none);
    accepted += is_none ? 1U : 0U;
    if (!is_none && claim.target == Visibility::kSerial) {
      claim.orders = all_orders(observation.value());
      CHECK(certify::check_no_prediction(history, claim).has_value());
    }
    if (is_none && !claim.orders.empty()) {
      claim.orders.clear();
      needed += certify::check_no_prediction(history, claim) ? 1U : 0U;
    }
  }
  CHECK(accepted > 0);
  CHECK(needed > 0);
}

TEST_CASE("property: predictions come about where the same operations run again") {
  std::size_t validated = 0;
  for (std::uint64_t i = 0; i < case_count(300); ++i) {
    Random random(first_seed_of_cases() * 3'000'017 + i);
    const PlainObservation observed = random_observation(random);
    const History history = history_of(observed);
    const Result<Observation> observation = predict::observe(history);
    REQUIRE(observation.ok());
    for (std::size_t level = 0; level < 5; ++level) {
      for (const BoundaryKind boundary : {BoundaryKind::kStrict, BoundaryKind::kRelaxed}) {
        CAPTURE(i, level, text_of(observed));
        Predictor predictor(observation.value(),
                            {.level = kLevels[level].visibility, .boundary = boundary});
        if (predictor.next() != Found::kPrediction) {
          continue;
        }
        TraceClient client(history);
        const Result<Replayed> replayed =
            replay_prediction(history, observation.value(), predictor.prediction(),
                              kLevels[level].model, kLevels[5].model, client);
        REQUIRE(replayed.ok());
        CHECK(replayed.value().is_validated);
        CHECK(replayed.value().divergences.empty());
        ++validated;
      }
    }
  }
  CHECK(validated > 20);
}

TEST_CASE("property: what strict boundaries or stronger levels allow, others do, too") {
  for (std::uint64_t i = 0; i < case_count(400); ++i) {
    Random random(first_seed_of_cases() * 2'000'003 + i);
    const PlainObservation observed = random_observation(random);
    const History history = history_of(observed);
    const History renamed = history_of(observed, 1000);
    CAPTURE(i, text_of(observed));
    for (std::size_t level = 0; level < 5; ++level) {
      const bool strict = is_predicted(history, kLevels[level], kLevels[5], BoundaryKind::kStrict);
      const bool relaxed =
          is_predicted(history, kLevels[level], kLevels[5], BoundaryKind::kRelaxed);
      CHECK(strict <= relaxed);
      if (level > 0) {
        CHECK(relaxed <=
              is_predicted(history, kLevels[level - 1], kLevels[5], BoundaryKind::kRelaxed));
        CHECK(strict <=
              is_predicted(history, kLevels[level - 1], kLevels[5], BoundaryKind::kStrict));
      }
      CHECK(is_predicted(renamed, kLevels[level], kLevels[5], BoundaryKind::kStrict) == strict);
    }
  }
}

}  // namespace
}  // namespace elapid
