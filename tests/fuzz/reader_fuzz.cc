// The reader of the format that ELAPID_FUZZ_FORMAT names, or of what is detected if that is empty:
// any bytes give a history or an error of one line, whatever else is asked for. Every event of a
// history can be read again from its source, and the engine has an answer to it.
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "engine/check/check.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "tests/fuzz/harness.h"

namespace elapid {
namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void reread_event(LoadedHistory& loaded, TxnId txn, EventKind kind) {
  const Event event = loaded.history().event(txn, kind);
  require(event.id.is_none() || loaded.details(event.position).ok());
}

void reread_events(LoadedHistory& loaded) {
  const auto count = static_cast<std::uint32_t>(loaded.history().txn_count());
  for (TxnId txn{0}; txn.value < count; ++txn.value) {
    reread_event(loaded, txn, EventKind::kInvocation);
    reread_event(loaded, txn, EventKind::kCompletion);
  }
}

/// Evidence that does not survive its certification would be an internal error.
void check_history(const LoadedHistory& loaded) {
  constexpr std::size_t kMostOperations = 1000;
  if (loaded.history().op_count() > kMostOperations || !loaded.history().workload().has_levels()) {
    return;
  }
  CheckOptions options = {.budget = {.edge_visits = 100'000}};
  options.models.set(Model::kPlSs);
  const Result<Verdict> verdict = check(loaded.history(), options);
  require(verdict.ok() || verdict.error().kind != ErrorKind::kInternal);
}

const char* format() {
  const char* name = std::getenv("ELAPID_FUZZ_FORMAT");
  require(name != nullptr);
  return name;
}

std::optional<LoadedHistory> read(const std::string& bytes, ReadOptions options) {
  options.format = find_format(format());
  auto loaded = read_history(memory_source("input", bytes), options);
  if (!loaded) {
    require(loaded.error().to_string().find('\n') == std::string::npos);
    require(loaded.error().kind != ErrorKind::kInternal);
    return std::nullopt;
  }
  return std::move(loaded).value();
}

void run(const std::string& bytes) {
  std::optional<LoadedHistory> plain = read(bytes, {});
  if (plain) {
    reread_events(*plain);
    check_history(*plain);
  }
  if (const auto salvaged = read(bytes, {.salvage = true}); plain) {
    // It may only add what a lost part must have contained.
    require(salvaged && salvaged->history().txn_count() >= plain->history().txn_count());
  }
  read(bytes, {.elle_compat = true});
  read(bytes, {.for_lint = true, .initial = "0"});
}

}  // namespace
}  // namespace elapid

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elapid::run(std::string(data, data + size));
  return 0;
}
