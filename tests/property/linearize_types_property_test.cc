// Random histories of objects: each engine answers as the definition does, and each order that it
// gives passes verification.
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/linearize/types/fifo_queue.h"
#include "engine/linearize/types/model_sweep.h"
#include "engine/linearize/types/replays.h"
#include "tests/oracle/random_operations.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using linearize::Answer;
using linearize::Judgement;
using linearize::Operation;
using linearize::Operations;
using linearize::Replay;

/// A type as the engines know it.
struct TypeUnderTest {
  std::unique_ptr<PlainObject> object;
  std::function<Judgement(const Operations&)> judge;
  std::function<Judgement(const Operations&)> search;
  std::function<std::unique_ptr<Replay>(const Operations&)> replay;
};

std::string text_of(const Operation& op) {
  const auto value = [](ValueId id) {
    return id.is_none() ? "-" : id.is_integer() ? std::to_string(id.as_integer()) : "nil";
  };
  return "[" + std::to_string(op.invoked) + " " +
         (op.is_open() ? "never" : std::to_string(op.returned)) + "] f" + std::to_string(op.f) +
         " " + value(op.argument) + " -> " + value(op.result) + "\n";
}

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
void compare_with_definition(const TypeUnderTest& type, std::uint64_t by_default) {
  const std::uint64_t first = 5'000'000 * first_seed_of_cases();
  const std::uint64_t cases = case_count(by_default);
  std::array<std::size_t, 2> answers = {};
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Random random(seed);
    RandomOperationsOptions options;
    options.crashed_percent = static_cast<std::uint32_t>(seed % 4 * 10);
    options.most_operations = seed % 10 == 0 ? 12 : 9;
    options.mutations = seed % 3 == 0 ? 1 + static_cast<std::uint32_t>(random.below(3)) : 0;
    const Operations operations = random_operations(*type.object, random, options);
    const bool is_right = is_linearizable_by_definition(*type.object, operations);
    ++answers[is_right ? 1 : 0];
    std::string wrong = mistake(type, operations, type.judge(operations), is_right);
    if (const std::string searched = mistake(type, operations, type.search(operations), is_right);
        wrong.empty() && !searched.empty()) {
      wrong = "search: " + searched;
    }
    if (!wrong.empty()) {
      std::string text;
      for (const Operation& op : operations) {
        text += text_of(op);
      }
      INFO("seed " << seed << "\n" << text);
      REQUIRE(wrong == "");
    }
  }
  INFO("refuted " << answers[0] << ", linearizable " << answers[1]);
  CHECK(answers[0] > 0);
  CHECK(answers[1] > answers[0]);
}

TEST_CASE("property: fifo queues are judged as by definition") {
  const linearize::FifoQueueModel model;
  const auto search = [&](const Operations& ops) { return linearize::sweep(ops, model); };
  const auto judge = [](const Operations& ops) { return linearize::judge_fifo_queue(ops); };
  const auto replay = [](const Operations&) { return linearize::fifo_queue_replay(); };
  for (const bool has_empty : {false, true}) {
    for (const std::size_t values : {0U, 3U}) {
      compare_with_definition(
          {plain_container(ContainerKind::kFifo, values, has_empty), judge, search, replay}, 2000);
    }
  }
}

}  // namespace
}  // namespace elapid
