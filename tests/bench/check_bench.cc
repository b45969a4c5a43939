// Checking a history that is in memory already, by its number of events. An item is an operation.
#include <benchmark/benchmark.h>

#include "engine/check/check.h"
#include "parsers/read.h"
#include "tests/support/sample_history.h"

namespace elapid {
namespace {

void check_sample(benchmark::State& state, Workload workload, CheckOptions options) {
  const auto loaded =
      read_history(memory_source("sample", sample_history(workload, state.range(0))), {});
  if (!loaded) {
    state.SkipWithError(loaded.error().message.c_str());
    return;
  }
  options.models.set(static_cast<std::size_t>(Model::kPlSs));
  for (auto _ : state) {
    const Result<Verdict> verdict = check(loaded.value().history(), options);
    if (!verdict || verdict.value().validity != Validity::kValid) {
      state.SkipWithError("the verdict is not valid");
      return;
    }
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<std::int64_t>(loaded.value().history().op_count()));
}

void check_list_append(benchmark::State& state) {
  check_sample(state, Workload::kListAppend, {});
}

void check_register(benchmark::State& state) {
  check_sample(state, Workload::kRwRegister, {});
}

void check_linearizable_register(benchmark::State& state) {
  CheckOptions options = {};
  options.assumptions.linearizable_keys = true;
  check_sample(state, Workload::kRwRegister, options);
}

void add_sizes(benchmark::internal::Benchmark* measured) {
  measured->RangeMultiplier(10)->Range(1'000, 100'000)->Unit(benchmark::kMillisecond);
}

BENCHMARK(check_list_append)->Apply(add_sizes);
BENCHMARK(check_register)->Apply(add_sizes);
BENCHMARK(check_linearizable_register)->Apply(add_sizes);

}  // namespace
}  // namespace elapid
