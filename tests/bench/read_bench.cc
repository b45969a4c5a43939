// Reading: EDN tokens, and whole histories into memory.
#include <benchmark/benchmark.h>

#include <string>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/read.h"
#include "tests/bench/sample_history.h"

namespace elapid {
namespace {

constexpr std::int64_t kLines = 20'000;

void scan_edn(benchmark::State& state) {
  const std::string text = sample_history(Workload::kListAppend, kLines);
  for (auto _ : state) {
    const auto source = memory_source("sample", text);
    edn::Scanner scanner(*source);
    while (scanner.next() > edn::TokenKind::kError) {
    }
    if (scanner.token().kind == edn::TokenKind::kError) {
      state.SkipWithError(scanner.error().message.c_str());
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void read_into_ir(benchmark::State& state, Workload workload) {
  const std::string text = sample_history(workload, kLines);
  std::size_t ops = 0;
  for (auto _ : state) {
    const auto loaded = read_history(memory_source("sample", text), {});
    if (!loaded) {
      state.SkipWithError(loaded.error().message.c_str());
      break;
    }
    ops = loaded.value().history().op_count();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(ops));
}

BENCHMARK(scan_edn)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_into_ir, list_append, Workload::kListAppend)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_into_ir, rw_register, Workload::kRwRegister)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elapid
