// Predictions of small random observations: the engine's answer is that of the definition
// (tests/reference/predictions.h), at every level and both boundaries, and every prediction is
// checked by the engines that know nothing of predictions.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <iterator>
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

/// A read of a list: of all writers, or of some, in some order.
void read_list(std::vector<int> writers, bool is_odd, Random& random, PlainAccess& event) {
  if (is_odd) {
    writers.resize(random.below(writers.size() + 1));
    if (writers.size() > 1 && random.percent(10)) {
      std::swap(writers.front(), writers.back());
    }
  }
  event.writer = writers.empty() ? -1 : writers.back();
  event.list = std::move(writers);
}

/// Transactions one after the other, each read from the newest writer; in one of four some reads
/// are from others.
PlainObservation random_observation(Random& random, bool has_lists) {
  PlainObservation observed = {.has_lists = has_lists};
  const auto sessions = static_cast<int>(2 + random.below(2));
  const auto keys = static_cast<int>(1 + random.below(3));
  const bool is_odd = random.percent(25);
  std::map<int, std::vector<int>> versions;                       // by key, the newest last
  const std::size_t count = 2 + random.below(has_lists ? 3 : 4);  // lists have more executions
  for (std::size_t t = 0; t < count; ++t) {
    PlainTxn txn = {.session = static_cast<int>(random.below(static_cast<std::size_t>(sessions)))};
    for (std::size_t i = 1 + random.below(3); i > 0; --i) {
      const PlainAccess event = {random.percent(50),
                                 static_cast<int>(random.below(static_cast<std::size_t>(keys)))};
      if (writes(txn, event.key) && (event.is_write || !has_lists)) {
        continue;
      }
      txn.events.push_back(event);
      if (!event.is_write && has_lists) {
        read_list(versions[event.key], is_odd, random, txn.events.back());
      } else if (!event.is_write) {
        std::vector<int> writers = {-1};
        if (!versions[event.key].empty()) {
          writers.push_back(versions[event.key].back());
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
        versions[event.key].push_back(static_cast<int>(t));
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
      return !event.is_write && (event.writer == static_cast<int>(t) ||
                                 std::ranges::count(event.list, static_cast<int>(t)) > 0);
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
  std::vector<ValueId> elements;
  const auto value = [](int writer) {
    return writer < 0 ? ValueId::nil() : ValueId::integer(writer + 1);
  };
  for (std::size_t t = 0; t < observed.txns.size(); ++t) {
    const int number = static_cast<int>(t);
    PlainTxn before = {};
    mops.clear();
    elements.clear();
    for (const PlainAccess& event : observed.txns[t].events) {
      MopInput& mop = mops.emplace_back(
          MopInput{.kind = event.is_write ? OpKind::kWrite : OpKind::kRead,
                   .key = builder.key(ValueId::integer(name == 0 ? event.key : name - event.key)),
                   .value = value(event.is_write ? number : event.writer)});
      if (observed.has_lists) {
        mop.kind = event.is_write ? OpKind::kAppend : OpKind::kReadList;
        mop.list_begin = static_cast<std::uint32_t>(elements.size());
        std::ranges::transform(event.list, std::back_inserter(elements), value);
        if (!event.is_write && writes(before, event.key)) {
          elements.push_back(value(number));
        }
        mop.list_length = static_cast<std::uint32_t>(elements.size()) - mop.list_begin;
      }
      before.events.push_back(event);
    }
    const int session = observed.txns[t].session;
    REQUIRE(builder
                .add_transaction({.session = name == 0 ? session : name - session,
                                  .status = is_open(observed, t) ? TxnStatus::kIndeterminate
                                                                 : TxnStatus::kCommitted,
                                  .mops = mops,
                                  .elements = elements})
                .ok());
  }
  Result<History> built = std::move(builder).build(
      {.workload = observed.has_lists ? Workload::kListAppend : Workload::kRwRegister,
       .has_real_time = false});
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
      for (const int writer : e.list) {
        text += "," + std::to_string(writer);
      }
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
    const PlainObservation observed = random_observation(random, i % 2 == 1);
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
    const PlainObservation observed = random_observation(random, i % 2 == 1);
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
    const PlainObservation observed = random_observation(random, false);
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
    const PlainObservation observed = random_observation(random, i % 2 == 1);
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
