// The readers, one program a format (ELAPID_FUZZ_FORMAT): any bytes give a history or an error of
// one line. Every event of a history can be read again from its source.
#include <cstdlib>
#include <string>
#include <utility>

#include "parsers/bytes/byte_source.h"
#include "parsers/read.h"
#include "tests/fuzz/harness.h"

namespace {

void require(bool condition) {
  if (!condition) {
    std::abort();
  }
}

void reread_event(elapid::LoadedHistory& loaded, elapid::TxnId txn, elapid::EventKind kind) {
  const elapid::Event event = loaded.history().event(txn, kind);
  require(event.id.is_none() || loaded.details(event.position).ok());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  elapid::ReadOptions options;
  options.format = {elapid::Format::ELAPID_FUZZ_FORMAT};
  auto loaded =
      elapid::read_history(elapid::memory_source("input", std::string(data, data + size)), options);
  if (!loaded) {
    require(loaded.error().to_string().find('\n') == std::string::npos);
    return 0;
  }
  const auto count = static_cast<std::uint32_t>(loaded.value().history().txn_count());
  for (elapid::TxnId txn{0}; txn.value < count; ++txn.value) {
    reread_event(loaded.value(), txn, elapid::EventKind::kInvocation);
    reread_event(loaded.value(), txn, elapid::EventKind::kCompletion);
  }
  return 0;
}
