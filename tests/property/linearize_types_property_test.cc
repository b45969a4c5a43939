// Random histories of objects: each engine answers as the definition does, and each order that it
// gives passes verification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/linearize/types/add_remove_set.h"
#include "engine/linearize/types/counter.h"
#include "engine/linearize/types/fetch_and_add.h"
#include "engine/linearize/types/fifo_queue.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/kv.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/plain_search.h"
#include "engine/linearize/types/priority_queue.h"
#include "engine/linearize/types/replays.h"
#include "engine/linearize/types/stack.h"
#include "engine/linearize/types/unordered_queue.h"
#include "tests/oracle/random_operations.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using linearize::Answer;
using linearize::Judgement;
using linearize::Operation;
using linearize::Operations;
using linearize::Replay;

/// That of the reads of sets that only grow, and of counters.
constexpr auto kReadF = static_cast<std::uint8_t>(linearize::CounterF::kRead);
static_assert(kReadF == static_cast<std::uint8_t>(linearize::GrowOnlySetF::kRead));

/// A type as the engines know it.
struct TypeUnderTest {
  std::unique_ptr<PlainObject> object;
  std::function<Judgement(const Operations&)> judge;
  std::function<Judgement(const Operations&)> search;
  std::function<std::unique_ptr<Replay>(const Operations&)> replay;
  std::optional<std::uint8_t> read = std::nullopt;  ///< does not count where it never returned
  /// For plain searches; null if there is none.
  std::function<std::unique_ptr<linearize::Model>(const Operations&)> model = {};
  bool hides_results = false;  ///< of some operations that returned
};

template <class Model>
std::unique_ptr<linearize::Model> make_model(const Operations&) {
  return std::make_unique<Model>();
}

/// Enough for most short histories; the search of one that needs more is left out.
constexpr std::uint64_t kWork = 200'000;

/// What is wrong with an answer; empty if nothing.
std::string mistake(const TypeUnderTest& type, const Operations& operations,
                    const Judgement& judgement, bool is_right) {
  if (judgement.answer == Answer::kUnknown) {
    return "unknown";
  }
  if ((judgement.answer == Answer::kLinearizable) != is_right) {
    return is_right ? "refuted, and is linearizable" : "linearizable, and is not";
  }
  if (!is_right) {
    const bool has_reason = judgement.pattern != linearize::Pattern::kNone &&
                            !judgement.places.empty() && judgement.places.size() <= 4;
    return has_reason ? "" : "refuted without a reason";
  }
  const std::unique_ptr<Replay> replay = type.replay(operations);
  return linearize::is_order_of(operations, judgement.order, *replay) ? "" : "no such order";
}

/// A third of the histories are mutated, crashed operations are 0 to 30 %.
Operations history_of(const TypeUnderTest& type, std::uint64_t seed,
                      std::uint32_t most_operations) {
  Random random(seed);
  RandomOperationsOptions options;
  options.crashed_percent = static_cast<std::uint32_t>(seed % 4 * 10);
  options.most_operations = most_operations;
  options.mutations = seed % 3 == 0 ? 1 + static_cast<std::uint32_t>(random.below(3)) : 0;
  Operations operations = random_operations(*type.object, random, options);
  std::erase_if(operations, [&](const Operation& op) { return op.is_open() && type.read == op.f; });
  for (Operation& op : operations) {
    if (type.hides_results && seed % 5 == 1 && random.percent(20)) {
      op.result = ValueId::none();
    }
  }
  return operations;
}

void require_right(std::uint64_t seed, const Operations& operations, const std::string& wrong) {
  if (!wrong.empty()) {
    std::string text;
    for (const Operation& op : operations) {
      text += operation_text(op);
    }
    INFO("seed " << seed << "\n" << text);
    REQUIRE(wrong == "");
  }
}

/// What a plain search finds wrong with the answer. Supplies without limit allow more.
std::string mistake_by_plain_search(const TypeUnderTest& type, const Operations& operations,
                                    bool is_right) {
  using linearize::PlainAnswer;
  const std::unique_ptr<linearize::Model> model = type.model(operations);
  std::uint64_t work = kWork;
  const PlainAnswer exact = search_plainly(operations, *model, linearize::Supply::kOnce, work);
  if (exact != PlainAnswer::kSpent && (exact == PlainAnswer::kOrder) != is_right) {
    return is_right ? "no order is found plainly" : "an order is found plainly";
  }
  work = kWork;
  return is_right && search_plainly(operations, *model, linearize::Supply::kUnlimited, work) ==
                         PlainAnswer::kNoOrder
             ? "more than is possible has no order"
             : "";
}

/// Short histories by definition, longer ones by the search, which the short ones vouch for.
void compare_with_definition(const TypeUnderTest& type, std::uint64_t by_default) {
  const std::uint64_t first = 5'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(by_default);
  std::array<std::size_t, 2> answers = {};
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const bool is_long = seed % 27 == 4;
    const Operations operations = history_of(type, seed, is_long ? 40 : seed % 10 == 0 ? 12 : 9);
    const Judgement searched = type.search(operations);
    if (is_long && searched.answer == Answer::kUnknown) {
      continue;
    }
    const bool is_right = is_long ? searched.answer == Answer::kLinearizable
                                  : is_linearizable_by_definition(*type.object, operations);
    ++answers[is_right ? 1 : 0];
    if (searched.answer != Answer::kUnknown) {
      require_right(seed, operations, mistake(type, operations, searched, is_right));
    }
    require_right(seed, operations, mistake(type, operations, type.judge(operations), is_right));
    if (type.model && seed % 4 == 0) {
      require_right(seed, operations, mistake_by_plain_search(type, operations, is_right));
    }
  }
  INFO("refuted " << answers[0] << ", linearizable " << answers[1]);
  CHECK(answers[0] > 0);
  CHECK(answers[1] > answers[0]);
}

TEST_CASE("property: fifo queues are judged as by definition") {
  const linearize::FifoQueueModel model;
  const auto search = [&](const Operations& ops) { return linearize::sweep(ops, model, kWork); };
  const auto judge = [](const Operations& ops) { return linearize::judge_fifo_queue(ops); };
  const auto replay = [](const Operations&) { return linearize::fifo_queue_replay(); };
  for (const bool has_empty : {false, true}) {
    for (const std::size_t values : {0U, 3U}) {
      compare_with_definition({plain_container(ContainerKind::kFifo, values, has_empty),
                               judge,
                               search,
                               replay,
                               {},
                               make_model<linearize::FifoQueueModel>},
                              5000);
    }
  }
}

TEST_CASE("property: unordered queues are judged as by definition") {
  const linearize::UnorderedQueueModel model;
  const auto search = [&](const Operations& ops) { return linearize::sweep(ops, model, kWork); };
  const auto judge = [](const Operations& ops) { return linearize::judge_unordered_queue(ops); };
  const auto replay = [](const Operations&) { return linearize::unordered_queue_replay(); };
  for (const bool has_empty : {false, true}) {
    for (const std::size_t values : {0U, 3U}) {
      compare_with_definition({plain_container(ContainerKind::kBag, values, has_empty),
                               judge,
                               search,
                               replay,
                               {},
                               make_model<linearize::UnorderedQueueModel>},
                              4000);
    }
  }
}

TEST_CASE("property: stacks are judged as by definition") {
  const linearize::StackModel model;
  const auto search = [&](const Operations& ops) { return linearize::sweep(ops, model, kWork); };
  const auto judge = [](const Operations& ops) { return linearize::judge_stack(ops); };
  const auto replay = [](const Operations&) { return linearize::stack_replay(); };
  for (const bool has_empty : {false, true}) {
    for (const std::size_t values : {0U, 3U}) {
      compare_with_definition({plain_container(ContainerKind::kStack, values, has_empty),
                               judge,
                               search,
                               replay,
                               {},
                               make_model<linearize::StackModel>},
                              5000);
    }
  }
}

TEST_CASE("property: priority queues are judged as by definition") {
  constexpr auto kFirst = linearize::GoesFirst::kGreatest;
  const ValuePool pool;
  const auto search = [&](const Operations& ops) {
    return linearize::sweep(ops, linearize::PriorityQueueModel(ops, kFirst, pool), kWork);
  };
  const auto judge = [&](const Operations& ops) {
    return linearize::judge_priority_queue(ops, kFirst, pool);
  };
  const auto replay = [&](const Operations&) {
    return linearize::priority_queue_replay(kFirst, pool);
  };
  const auto model = [&](const Operations& ops) {
    return std::make_unique<linearize::PriorityQueueModel>(ops, kFirst, pool);
  };
  for (const bool has_empty : {false, true}) {
    for (const std::size_t values : {0U, 3U}) {
      compare_with_definition({plain_container(ContainerKind::kGreatestFirst, values, has_empty),
                               judge,
                               search,
                               replay,
                               {},
                               model},
                              4000);
    }
  }
}

/// What reads show, from results that are sums of 2^element.
linearize::WholeReads whole_reads(const Operations& operations) {
  linearize::WholeReads reads;
  for (const Operation& op : operations) {
    std::vector<ValueId> elements;
    for (std::int64_t element = 0; element < 10 && op.result.is_integer(); ++element) {
      if ((op.result.as_integer() >> element & 1) != 0) {
        elements.push_back(ValueId::integer(element));
      }
    }
    reads.add(elements);
  }
  return reads;
}

TEST_CASE("property: sets that only grow are judged as by definition") {
  const auto judge = [](const Operations& ops) {
    return linearize::judge_grow_only_set(ops, whole_reads(ops));
  };
  std::optional<linearize::WholeReads> reads;
  const auto replay = [&](const Operations& ops) {
    reads = whole_reads(ops);
    return linearize::grow_only_set_replay(*reads);
  };
  compare_with_definition({plain_grow_only_set(), judge, judge, replay, kReadF}, 10'000);
}

TEST_CASE("property: locks are judged as by definition") {
  const ValuePool pool;
  const std::array<std::pair<LockKind, linearize::LockKind>, 6> kinds = {{
      {LockKind::kPlain, linearize::LockKind::kPlain},
      {LockKind::kOwned, linearize::LockKind::kOwned},
      {LockKind::kReentrant, linearize::LockKind::kReentrant},
      {LockKind::kFenced, linearize::LockKind::kFenced},
      {LockKind::kReentrantFenced, linearize::LockKind::kReentrantFenced},
      {LockKind::kSemaphore, linearize::LockKind::kSemaphore},
  }};
  for (const auto& [plain, kind] : kinds) {
    const linearize::LockRules rules = {.kind = kind, .limit = 2};
    const auto search = [&](const Operations& ops) {
      return linearize::sweep(ops, linearize::LockModel(ops, rules, pool), kWork);
    };
    const auto judge = [&](const Operations& ops) {
      return linearize::judge_lock(ops, rules, pool);
    };
    const auto replay = [&](const Operations&) { return linearize::lock_replay(rules, pool); };
    const auto model = [&](const Operations& ops) {
      return std::make_unique<linearize::LockModel>(ops, rules, pool);
    };
    compare_with_definition({plain_lock(plain), judge, search, replay, {}, model}, 4000);
  }
}

TEST_CASE("property: counters are judged as by definition") {
  const ValuePool pool;
  const auto search = [&](const Operations& ops) {
    return linearize::sweep(ops, linearize::CounterModel(ops, pool), kWork);
  };
  const auto judge = [&](const Operations& ops) { return linearize::judge_counter(ops, pool); };
  const auto replay = [&](const Operations&) { return linearize::counter_replay(pool); };
  const auto model = [&](const Operations& ops) {
    return std::make_unique<linearize::CounterModel>(ops, pool);
  };
  const std::vector<std::vector<std::int64_t>> deltas = {
      {1}, {-3}, {0, 2}, {1, 2, 4}, {-1, -2}, {2, 3, 5, 7}, {3, 3, 4}, {1, -1, 2}};
  for (const std::vector<std::int64_t>& some : deltas) {
    compare_with_definition({plain_counter(some), judge, search, replay, kReadF, model}, 4000);
  }
}

TEST_CASE("property: fetch-and-add and unique ids are judged as by definition") {
  const ValuePool pool;
  const linearize::FetchAndAddModel model(pool);
  const auto search = [&](const Operations& ops) { return linearize::sweep(ops, model, kWork); };
  const auto judge = [&](const Operations& ops) {
    return linearize::judge_fetch_and_add(ops, pool);
  };
  const auto replay = [&](const Operations&) { return linearize::fetch_and_add_replay(pool); };
  const std::vector<std::vector<std::int64_t>> deltas = {{1},       {-2},   {0, -1},
                                                         {1, 2, 0}, {1, 2}, {-1, -3}};
  for (const std::vector<std::int64_t>& some : deltas) {
    compare_with_definition(
        {plain_fetch_and_add(some),
         judge,
         search,
         replay,
         {},
         [&](const Operations&) { return std::make_unique<linearize::FetchAndAddModel>(pool); },
         true},
        3000);
  }
  const auto judge_ids = [](const Operations& ops) { return linearize::judge_unique_ids(ops); };
  const auto replay_ids = [](const Operations&) { return linearize::unique_ids_replay(); };
  compare_with_definition({plain_unique_ids(),
                           judge_ids,
                           judge_ids,
                           replay_ids,
                           {},
                           make_model<linearize::UniqueIdsModel>},
                          500);
}

TEST_CASE("property: sets of which elements are removed are judged as by definition") {
  const auto judge = [](const Operations& ops) { return linearize::judge_add_remove_set(ops); };
  const auto replay = [](const Operations&) { return linearize::add_remove_set_replay(); };
  for (const bool has_results : {true, false}) {
    compare_with_definition({plain_add_remove_set(has_results), judge, judge, replay}, 8000);
  }
}

TEST_CASE("property: keys of stores are judged as by definition") {
  ValuePool pool;
  const auto judge = [&](const Operations& ops) {
    return linearize::judge_kv(ops, ValueId::nil(), pool);
  };
  const auto search = [&](const Operations& ops) {
    return linearize::sweep(ops, linearize::KvModel(ValueId::nil(), pool), kWork);
  };
  const auto replay = [&](const Operations&) { return linearize::kv_replay(ValueId::nil(), pool); };
  constexpr auto kGet = static_cast<std::uint8_t>(linearize::KvF::kGet);
  for (const std::size_t values : {0U, 2U}) {
    compare_with_definition({plain_kv(pool, values), judge, search, replay, kGet,
                             [&](const Operations&) {
                               return std::make_unique<linearize::KvModel>(ValueId::nil(), pool);
                             }},
                            4000);
  }
}

}  // namespace
}  // namespace elapid
