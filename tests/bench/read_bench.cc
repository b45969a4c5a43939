// Reading: EDN tokens, whole histories into memory, and transactions line by line.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "parsers/bytes/byte_source.h"
#include "parsers/edn/scanner.h"
#include "parsers/read.h"
#include "parsers/stream/stream_line.h"
#include "tests/support/sample_history.h"

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

/// 15 operations in TimeKiller's format.
std::string timekiller_line(std::int64_t tid) {
  const std::string n = std::to_string(tid);
  std::string line = R"({"tid":)" + n + R"(,"sid":)" + std::to_string(tid % 50) + R"(,"seq":)" + n +
                     R"(,"sts":{"p":17270000)" + n + R"(,"l":0},"cts":{"p":17270000)" + n +
                     R"(,"l":1},"ops":[)";
  for (std::int64_t i = 0; i < 15; ++i) {
    line += std::string(i == 0 ? "" : ",") + R"({"t":")" + (i % 2 == 0 ? 'w' : 'r') + R"(","k":)" +
            std::to_string((tid * 7 + i * 13) % 1000) + R"(,"v":)" + n + "}";
  }
  return line + "]}\n";
}

void read_stream_lines(benchmark::State& state) {
  std::vector<std::string> lines;
  std::size_t bytes = 0;
  for (std::int64_t tid = 0; tid < kLines; ++tid) {
    bytes += lines.emplace_back(timekiller_line(tid)).size();
  }
  StreamLineReader reader;
  StreamTxn txn;
  for (auto _ : state) {
    for (const std::string& line : lines) {
      if (const auto read = reader.read(line, txn); !read) {
        state.SkipWithError(read.error().message.c_str());
      }
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
  state.SetItemsProcessed(state.iterations() * kLines);
}

BENCHMARK(scan_edn)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_into_ir, list_append, Workload::kListAppend)->Unit(benchmark::kMillisecond);
BENCHMARK(read_stream_lines)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(read_into_ir, rw_register, Workload::kRwRegister)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace elapid
