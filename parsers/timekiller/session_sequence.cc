#include "parsers/timekiller/session_sequence.h"

#include <algorithm>
#include <string>

#include "parsers/bytes/byte_source.h"

namespace elapid {

void SessionSequence::note(const TimekillerTxn& txn, std::int64_t session) {
  if (txn.sequence) {
    sessions_[session].numbers.push_back(*txn.sequence);
  }
}

void SessionSequence::sort() {
  for (auto& [session, own] : sessions_) {
    std::ranges::sort(own.numbers);
    const auto repeated = std::ranges::unique(own.numbers);
    own.numbers.erase(repeated.begin(), repeated.end());
  }
}

Status SessionSequence::check(const Session& session, const TimekillerTxn& txn) {
  if (!txn.sequence) {
    return session.numbers.empty()
               ? Status()
               : malformed_at(txn.offset,
                              "expected a \"seq\", as other transactions of the session have, "
                              "found none");
  }
  const std::optional<std::int64_t> turn = session.turn();
  if (!turn || *txn.sequence < *turn || session.waiting.contains(*txn.sequence)) {
    return malformed_at(txn.offset, "expected a new seq in the session, found " +
                                        std::to_string(*txn.sequence) + " a second time");
  }
  return {};
}

/// After a transaction was added: whether it is the turn of the first one that waits.
bool SessionSequence::Session::pass() {
  next += next < numbers.size() ? 1U : 0U;
  return !waiting.empty() && waiting.begin()->first == turn();
}

}  // namespace elapid
