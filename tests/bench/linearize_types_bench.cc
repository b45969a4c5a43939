// How long the engines of linearizability take for 1,000,000 operations of each type, the check
// alone: elapid_linearize_types_bench [operations [concurrent [crashed per mille]]]. Not part
// of the tests.
//
//   fifo queue      0.412 s   linearizable
//
// Operations take effect one after another, and are invoked and return at random around that.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <queue>
#include <random>
#include <vector>

#include "engine/linearize/types/add_remove_set.h"
#include "engine/linearize/types/counter.h"
#include "engine/linearize/types/fetch_and_add.h"
#include "engine/linearize/types/fifo_queue.h"
#include "engine/linearize/types/functions.h"
#include "engine/linearize/types/grow_only_set.h"
#include "engine/linearize/types/lock.h"
#include "engine/linearize/types/priority_queue.h"
#include "engine/linearize/types/replays.h"
#include "engine/linearize/types/stack.h"
#include "engine/linearize/types/unordered_queue.h"

namespace elapid::linearize {
namespace {

std::mt19937_64 g_random;  // NOLINT: of one program

std::uint64_t below(std::uint64_t n) {
  return g_random() % n;
}

/// How operations lie beside one another.
struct Shape {
  std::size_t count = 1'000'000;
  std::uint64_t concurrent = 10;
  std::uint64_t crashed_per_mille = 0;
};

/// Gives operations in the order of their effects intervals; drops reads that never return.
Operations with_times(const Operations& effects, const Shape& shape, int read = -1) {
  struct Moment {
    std::uint64_t time;
    std::uint32_t place;
    bool is_return;
  };

  std::vector<Moment> moments;
  for (std::uint32_t place = 0; place < effects.size(); ++place) {
    const std::uint64_t effect = (place + shape.concurrent) * 100;
    moments.push_back({effect - 1 - below(50 * shape.concurrent), place, false});
    moments.push_back({effect + 1 + below(50 * shape.concurrent), place, true});
  }
  std::stable_sort(moments.begin(), moments.end(),
                   [](const Moment& a, const Moment& b) { return a.time < b.time; });
  Operations operations = effects;
  for (std::uint32_t i = 0; i < moments.size(); ++i) {
    Operation& op = operations[moments[i].place];
    (moments[i].is_return ? op.returned : op.invoked) = i;
  }
  for (Operation& op : operations) {
    if (below(1000) < shape.crashed_per_mille) {
      op.returned = kNever;
      op.result = ValueId::none();
    }
  }
  std::erase_if(operations, [read](const Operation& op) { return op.is_open() && op.f == read; });
  std::sort(operations.begin(), operations.end(),
            [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
  return operations;
}

template <class F>
Operation effect(F f, ValueId argument = ValueId::none(), ValueId result = ValueId::none()) {
  return {TxnId(), 0, 0, static_cast<std::uint8_t>(f), argument, result};
}

ValueId number(std::uint64_t n) {
  return ValueId::integer(static_cast<std::int64_t>(n));
}

/// `take` removes a value from what `add` gave, if there is one.
Operations container(std::size_t count, const std::function<void(std::uint32_t)>& add,
                     const std::function<std::uint32_t()>& take) {
  Operations effects;
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (below(2) == 0) {
      const auto value = static_cast<std::uint32_t>(i * 2654435761U % (1U << 30));
      add(value);
      effects.push_back(effect(ContainerF::kAdd, number(value)));
      ++size;
    } else {
      effects.push_back(effect(ContainerF::kRemove, ValueId::none(),
                               size == 0 ? ValueId::nil() : number(take())));
      size -= size == 0 ? 0 : 1;
    }
  }
  return effects;
}

void measure(const char* name, const std::function<Judgement()>& judge,
             const std::function<bool(const Judgement&)>& verify) {
  const auto begin = std::chrono::steady_clock::now();
  const Judgement judgement = judge();
  const auto end = std::chrono::steady_clock::now();
  const char* answer = judgement.answer == Answer::kUnknown           ? "unknown"
                       : judgement.answer == Answer::kNotLinearizable ? "not linearizable"
                       : verify(judgement)                            ? "linearizable, verified"
                                                                      : "WRONG ORDER";
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%-16s %.3f s  %s, %ld MB at most so far\n", name,
              std::chrono::duration<double>(end - begin).count(), answer, usage.ru_maxrss / 1024);
}

void measure_containers(const Shape& shape) {
  std::deque<std::uint32_t> queue;
  const Operations fifo = with_times(container(
                                         shape.count, [&](std::uint32_t v) { queue.push_back(v); },
                                         [&] {
                                           const std::uint32_t v = queue.front();
                                           queue.pop_front();
                                           return v;
                                         }),
                                     shape);
  measure(
      "fifo queue", [&] { return judge_fifo_queue(fifo); },
      [&](const Judgement& j) { return is_order_of(fifo, j.order, *fifo_queue_replay()); });
  measure(
      "unordered queue", [&] { return judge_unordered_queue(fifo); },
      [&](const Judgement& j) { return is_order_of(fifo, j.order, *unordered_queue_replay()); });
  std::vector<std::uint32_t> values;
  const Operations stack =
      with_times(container(
                     shape.count, [&](std::uint32_t v) { values.push_back(v); },
                     [&] {
                       const std::uint32_t v = values.back();
                       values.pop_back();
                       return v;
                     }),
                 shape);
  measure(
      "stack", [&] { return judge_stack(stack); },
      [&](const Judgement& j) { return is_order_of(stack, j.order, *stack_replay()); });
  const ValuePool pool;
  std::priority_queue<std::uint32_t> heap;
  const Operations priority = with_times(container(
                                             shape.count, [&](std::uint32_t v) { heap.push(v); },
                                             [&] {
                                               const std::uint32_t v = heap.top();
                                               heap.pop();
                                               return v;
                                             }),
                                         shape);
  measure(
      "priority queue", [&] { return judge_priority_queue(priority, GoesFirst::kGreatest, pool); },
      [&](const Judgement& j) {
        return is_order_of(priority, j.order, *priority_queue_replay(GoesFirst::kGreatest, pool));
      });
}

void measure_locks(const Shape& shape) {
  const ValuePool pool;
  Operations effects;
  for (std::size_t i = 0; i < shape.count; ++i) {
    effects.push_back(effect(i % 2 == 0 ? LockF::kAcquire : LockF::kRelease, number(i / 2)));
  }
  const Operations lock = with_times(effects, shape);
  const LockRules plain = {.kind = LockKind::kPlain};
  measure(
      "plain lock", [&] { return judge_lock(lock, plain, pool); },
      [&](const Judgement& j) { return is_order_of(lock, j.order, *lock_replay(plain, pool)); });
  // Each owner's release follows its acquire.
  Operations owned = effects;
  for (std::size_t i = 0; i < shape.count; ++i) {
    owned[i].invoked = static_cast<std::uint32_t>(2 * i);
    owned[i].returned = static_cast<std::uint32_t>(2 * i + 1);
  }
  const LockRules by_owner = {.kind = LockKind::kOwned};
  measure(
      "lock by owner", [&] { return judge_lock(owned, by_owner, pool); },
      [&](const Judgement& j) {
        return is_order_of(owned, j.order, *lock_replay(by_owner, pool));
      });
}

void measure_numbers(const Shape& shape) {
  const ValuePool pool;
  Operations effects;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < shape.count; ++i) {
    if (below(2) == 0) {
      effects.push_back(effect(CounterF::kAdd, number(3)));
      sum += 3;
    } else {
      effects.push_back(effect(CounterF::kRead, ValueId::none(), number(sum)));
    }
  }
  const Operations counter = with_times(effects, shape, static_cast<int>(CounterF::kRead));
  measure(
      "counter", [&] { return judge_counter(counter, pool); },
      [&](const Judgement& j) { return is_order_of(counter, j.order, *counter_replay(pool)); });
  effects.clear();
  for (std::size_t i = 0; i < shape.count; ++i) {
    effects.push_back(effect(0, number(1), number(i)));
  }
  const Operations fetch = with_times(effects, shape);
  measure(
      "fetch-and-add", [&] { return judge_fetch_and_add(fetch, pool); },
      [&](const Judgement& j) { return is_order_of(fetch, j.order, *fetch_and_add_replay(pool)); });
  measure(
      "unique ids", [&] { return judge_unique_ids(fetch); },
      [&](const Judgement& j) { return is_order_of(fetch, j.order, *unique_ids_replay()); });
}

void measure_sets(const Shape& shape) {
  Operations effects;
  for (std::size_t i = 0; i < shape.count; ++i) {
    effects.push_back(i % (shape.count / 8) == shape.count / 8 - 1
                          ? effect(GrowOnlySetF::kRead, ValueId::none(), number(i))
                          : effect(GrowOnlySetF::kAdd, number(i)));
  }
  const Operations grow = with_times(effects, shape, static_cast<int>(GrowOnlySetF::kRead));
  WholeReads reads;
  for (const Operation& op : grow) {
    std::vector<ValueId> elements;
    if (op.f == static_cast<std::uint8_t>(GrowOnlySetF::kRead)) {
      for (std::int64_t i = 0; i < op.result.as_integer(); ++i) {
        if (effects[static_cast<std::size_t>(i)].f ==
            static_cast<std::uint8_t>(GrowOnlySetF::kAdd)) {
          elements.push_back(ValueId::integer(i));
        }
      }
    }
    reads.add(elements);
  }
  measure(
      "grow-only set", [&] { return judge_grow_only_set(grow, reads); },
      [&](const Judgement& j) { return is_order_of(grow, j.order, *grow_only_set_replay(reads)); });
  std::vector<bool> is_in(1000);
  effects.clear();
  for (std::size_t i = 0; i < shape.count; ++i) {
    const auto f = static_cast<SetF>(below(3));
    const std::uint64_t element = below(is_in.size());
    const bool result = f == SetF::kAdd ? !is_in[element] : is_in[element];
    is_in[element] = f == SetF::kAdd || (f == SetF::kContains && is_in[element]);
    effects.push_back(effect(f, number(element), result ? number(1) : ValuePool::false_value()));
  }
  const Operations set = with_times(effects, shape);
  measure(
      "add-remove set", [&] { return judge_add_remove_set(set); },
      [&](const Judgement& j) { return is_order_of(set, j.order, *add_remove_set_replay()); });
}

}  // namespace
}  // namespace elapid::linearize

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : otherwise;
  };
  const elapid::linearize::Shape shape = {.count = argument(1, 1'000'000),
                                          .concurrent = argument(2, 10),
                                          .crashed_per_mille = argument(3, 0)};
  elapid::linearize::measure_containers(shape);
  elapid::linearize::measure_locks(shape);
  elapid::linearize::measure_numbers(shape);
  elapid::linearize::measure_sets(shape);
}
