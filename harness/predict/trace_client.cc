#include "harness/predict/trace_client.h"

namespace elapid {

Result<bool> TraceClient::run(const std::string& session, std::size_t number, ReplayTxn& txn) {
  for (std::uint32_t s = 0; s < observed_.session_count(); ++s) {
    if (observed_.session_text(SessionId{s}) != session) {
      continue;
    }
    for (const Op op : observed_.ops(observed_.session_txns(SessionId{s})[number - 1])) {
      const std::string key = key_name(observed_, op.key());
      if (op.is_write()) {
        txn.put(key, observed_.text(op.value()));
      } else if (const Result<std::string> value = txn.get(key); !value) {
        return value.error();
      }
    }
  }
  return true;
}

}  // namespace elapid
