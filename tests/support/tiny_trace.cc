#include "tests/support/tiny_trace.h"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <vector>

namespace elapid {

namespace {

/// A transaction with the places of its events.
struct TinyTxn {
  std::int64_t process = 0;
  TxnStatus status = TxnStatus::kIndeterminate;
  std::vector<TinyMop> mops = {};
  std::int64_t invoked = 0;
  std::int64_t completed = 0;  ///< what never completed: its beginning, from which nothing follows
};

/// In the order of invocations.
std::vector<TinyTxn> txns_of(const TinyHistory& history) {
  std::vector<TinyTxn> txns;
  std::map<std::int64_t, std::size_t> open;
  std::int64_t place = 0;
  for (const TinyEvent& event : history.events) {
    ++place;
    if (event.type == EventType::kInvoke) {
      open[event.process] = txns.size();
      txns.push_back({.process = event.process,
                      .mops = as_invoked(event.mops),
                      .invoked = place,
                      .completed = place});
      continue;
    }
    const auto invocation = open.find(event.process);
    if (invocation == open.end()) {
      txns.push_back({.process = event.process, .invoked = place});
    }
    TinyTxn& txn = invocation == open.end() ? txns.back() : txns[invocation->second];
    txn.status = status_of(event.type);
    txn.completed = place;
    if (!event.mops.empty() || event.type != EventType::kInfo) {
      txn.mops = event.mops;
    }
    open.erase(event.process);
  }
  return txns;
}

class TraceMaker {
 public:
  explicit TraceMaker(TinyTraceForm form)
      : form_(form),
        builder_({.first_txn = form.has_initial_txn ? FirstTxn::kMarked : FirstTxn::kOrdinary}) {}

  History make(const std::vector<TinyTxn>& txns, Workload workload) {
    if (form_.has_initial_txn) {
      add_initial(txns);
    }
    for (const TinyTxn& txn : txns) {
      std::vector<MopInput> mops;
      for (const TinyMop& mop : txn.mops) {
        mops.push_back(input(mop, txn.status));
      }
      add({.session = txn.process, .status = txn.status, .mops = mops}, txn.invoked, txn.completed);
    }
    HistoryInfo info = {.format = "tiny", .workload = workload};
    info.initial = form_.has_initial_txn ? ValueId::none() : ValueId::integer(0);
    Result<History> built = std::move(builder_).build(std::move(info));
    if (!built) {
      throw std::invalid_argument(built.error().message);
    }
    return std::move(built).value();
  }

 private:
  void add_initial(const std::vector<TinyTxn>& txns) {
    std::vector<char> keys;
    for (const TinyTxn& txn : txns) {
      for (const TinyMop& mop : txn.mops) {
        keys.push_back(mop.key);
      }
    }
    std::ranges::sort(keys);
    keys.erase(std::ranges::unique(keys).begin(), keys.end());
    std::vector<MopInput> writes;
    for (const char key : keys) {
      writes.push_back({.kind = OpKind::kWrite, .key = key_of(key), .value = ValueId::integer(0)});
    }
    add({.session = -1, .mops = writes}, 0, 0);
  }

  void add(TxnInput txn, std::int64_t invoked, std::int64_t completed) {
    if (form_.has_times) {
      txn.invocation_time = invoked;
      txn.completion_time = completed;
    }
    if (const Status status = builder_.add_transaction(txn); !status) {
      throw std::invalid_argument(status.error().message);
    }
  }

  KeyId key_of(char key) { return builder_.key(ValueId::integer(key)); }

  /// Nil is an unknown value where the transaction did not commit, and else the initial 0.
  MopInput input(const TinyMop& mop, TxnStatus status) {
    const ValueId nil = status == TxnStatus::kCommitted ? ValueId::integer(0) : ValueId::nil();
    return {.kind = mop.kind,
            .key = key_of(mop.key),
            .value = mop.values.empty() ? nil : ValueId::integer(mop.values.front())};
  }

  TinyTraceForm form_;
  HistoryBuilder builder_;
};

}  // namespace

History build_trace(const TinyHistory& history, TinyTraceForm form) {
  return TraceMaker(form).make(txns_of(history), history.model);
}

}  // namespace elapid
